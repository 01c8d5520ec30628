// The private folder in which an attempt compiles.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_SCRATCH_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_SCRATCH_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/os/unique_fd.h"

namespace benchfleet {

// A folder benchfleet-compile-XXXXXX, locked while this lives, so that the next one can
// tell what a killed runner left behind. Every path has the same length in every attempt:
// compilers store some of them in what they write.
//
// Ownership: removes the folder.
class Scratch {
 public:
  // Under `base`; removes folders of that name there which nobody holds. Errors as
  // MakeFolders(), naming the path.
  static absl::StatusOr<std::unique_ptr<Scratch>> Create(const std::string& base);
  // Under $TMPDIR, or /tmp where it is not an absolute path.
  static absl::StatusOr<std::unique_ptr<Scratch>> Create();

  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Makes the folders below anew, and empty, for that many compiles. Errors as Create().
  absl::Status Prepare(int compiles) const;

  const std::string& path() const { return path_; }
  std::string output_folder(int compile) const;
  std::string log(int compile) const;
  std::string commands() const { return path_ + "/pass/commands"; }
  std::string records() const { return path_ + "/pass/records"; }
  std::string working_folder() const { return path_ + "/pass/work"; }
  std::string home() const { return path_ + "/pass/home"; }
  std::string temporary_folder() const { return path_ + "/pass/tmp"; }

 private:
  Scratch(std::string path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  const std::string path_;
  const UniqueFd lock_;  // the folder itself
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_SCRATCH_H_
