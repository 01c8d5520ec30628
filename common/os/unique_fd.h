// Owns a file descriptor.
#ifndef BENCHFLEET_COMMON_OS_UNIQUE_FD_H_
#define BENCHFLEET_COMMON_OS_UNIQUE_FD_H_

#include <unistd.h>

#include <utility>

namespace benchfleet {

// Move-only; closes at destruction. Descriptors are always opened with O_CLOEXEC.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_UNIQUE_FD_H_
