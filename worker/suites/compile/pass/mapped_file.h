// A whole file in memory.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_MAPPED_FILE_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace benchfleet::compile_pass {

// Mapped shared: what is written, by this process or one forked from it, is in the file at
// once. A mapping of a file costs a fork nothing.
class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  enum class Access { kRead, kWrite };
  // Once only. Empty on success, else what is wrong: an empty file, or one above `max_bytes`, too.
  std::string Open(const std::string& path, Access access, int64_t max_bytes);

  const std::string& path() const { return path_; }
  char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  std::string path_;
  char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_MAPPED_FILE_H_
