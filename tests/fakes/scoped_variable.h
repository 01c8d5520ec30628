// An environment variable that lives as long as its test.
#ifndef BENCHFLEET_TESTS_FAKES_SCOPED_VARIABLE_H_
#define BENCHFLEET_TESTS_FAKES_SCOPED_VARIABLE_H_

#include <stdlib.h>

#include <optional>
#include <string>

namespace benchfleet {

// Puts the variable back when it goes.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = ::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { old_.has_value() ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* const name_;
  std::optional<std::string> old_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_SCOPED_VARIABLE_H_
