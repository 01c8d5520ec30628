// What happened, as the record file tells it (pass_files.h).
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_RECORDS_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_RECORDS_H_

#include <cstddef>
#include <string>

#include "worker/suites/compile/pass/mapped_file.h"
#include "worker/suites/compile/pass/pass_files.h"

namespace benchfleet::compile_pass {

// Thread-safety: each record has one writer at a time.
class Records {
 public:
  // Empty on success, else what is wrong.
  std::string Open(const std::string& path);
  // After Open(), before anything else. Empty when the file is made for that many compiles,
  // else what is wrong.
  std::string CheckSize(size_t compiles) const;

  PassHeader& header() const { return *reinterpret_cast<PassHeader*>(file_.data()); }
  PassRecord& record(size_t compile) const {
    return reinterpret_cast<PassRecord*>(file_.data() + sizeof(PassHeader))[compile];
  }

 private:
  MappedFile file_;
};

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_RECORDS_H_
