// What is to be compiled, as the commands file says it (pass_files.h).
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_COMMANDS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_COMMANDS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "worker/suites/compile/pass/mapped_file.h"

namespace benchfleet::compile_pass {

// The file stays where it is mapped; a compile is known by where its texts begin in it.
// A process forked after Open() finds the same texts at the same offset.
class Commands {
 public:
  // Empty on success, else what is wrong.
  std::string Open(const std::string& path);
  // Checks the file and finds its compiles; after Open(). Empty on success, else what is wrong.
  std::string Index();

  size_t size() const { return offsets_.size(); }
  size_t offset(size_t compile) const { return offsets_[compile]; }
  // The first text of a compile, its log; the others follow, each after the NUL of the one
  // before, and an empty one ends them.
  const char* texts(size_t offset) const { return file_.data() + offset; }

 private:
  std::string IndexOne(std::string_view* rest);

  MappedFile file_;
  std::vector<size_t> offsets_;
};

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_COMMANDS_H_
