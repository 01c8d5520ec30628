#include "worker/suites/compile/pass/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "common/os/unique_fd.h"

namespace benchfleet::compile_pass {

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

std::string MappedFile::Open(const std::string& path, Access access, int64_t max_bytes) {
  path_ = path;
  const bool writes = access == Access::kWrite;
  const UniqueFd fd(::open(path.c_str(), (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC));
  struct stat facts;
  if (!fd.valid() || ::fstat(fd.get(), &facts) != 0) return path + ": " + strerror(errno);
  if (!S_ISREG(facts.st_mode)) return path + ": is not a regular file";
  if (facts.st_size == 0) return path + ": is empty";
  if (facts.st_size > max_bytes) {
    return path + ": has " + std::to_string(facts.st_size) + " bytes, at most " + std::to_string(max_bytes) +
           " are read";
  }
  const size_t size = static_cast<size_t>(facts.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ | (writes ? PROT_WRITE : 0), MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) return path + ": " + strerror(errno);
  data_ = static_cast<char*>(data);
  size_ = size;
  return "";
}

}  // namespace benchfleet::compile_pass
