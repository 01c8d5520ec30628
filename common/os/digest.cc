#include "common/os/digest.h"

#include <fcntl.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/os/file.h"
#include "common/os/unique_fd.h"

namespace benchfleet {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    // Only memory can be lacking here, and then there is no way on.
    if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) std::abort();
  }
  void Update(absl::string_view data) {
    if (EVP_DigestUpdate(context_.get(), data.data(), data.size()) != 1) std::abort();
  }
  std::string Hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(context_.get(), digest.data(), &size) != 1) std::abort();
    return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest.data()), size));
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  constexpr uint32_t kPolynomial = 0x82f63b78;  // Castagnoli, bits reversed
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

}  // namespace

std::string Sha256Hex(absl::string_view data) {
  Sha256 digest;
  digest.Update(data);
  return digest.Hex();
}

absl::StatusOr<std::string> Sha256HexOfFile(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus(errno, absl::StrCat("open ", path));
  Sha256 digest;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, absl::StrCat("read ", path));
    if (got == 0) return digest.Hex();
    digest.Update(absl::string_view(buffer.data(), static_cast<size_t>(got)));
  }
}

uint32_t Crc32c(absl::string_view data, uint32_t crc) {
  static constexpr std::array<uint32_t, 256> kTable = MakeCrcTable();
  crc = ~crc;
  for (const char c : data) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

}  // namespace benchfleet
