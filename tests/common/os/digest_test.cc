#include "common/os/digest.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256, StandardVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileIsThatOfItsContent) {
  const TempFolder folder;
  const std::string content(200'000, 'x');
  const auto digest = Sha256HexOfFile(folder.Write("file", content));
  ASSERT_TRUE(digest.ok()) << digest.status();
  EXPECT_EQ(*digest, Sha256Hex(content));
}

TEST(Sha256, OfAMissingFileNamesIt) {
  const TempFolder folder;
  const auto digest = Sha256HexOfFile(folder / "absent");
  EXPECT_EQ(digest.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(digest.status().message().find("absent"), absl::string_view::npos) << digest.status();
}

// RFC 3720, B.4. The RFC prints the bytes in the order they are sent.
TEST(Crc32c, StandardVectors) {
  std::string up, down;
  for (int i = 0; i < 32; ++i) {
    up.push_back(static_cast<char>(i));
    down.push_back(static_cast<char>(31 - i));
  }
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(Crc32c(up), 0x46dd794eu);
  EXPECT_EQ(Crc32c(down), 0x113fdb5cu);
  const std::string read_command(
      "\x01\xc0\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x14\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00"
      "\x14\x00\x00\x00\x18\x28\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00",
      48);
  EXPECT_EQ(Crc32c(read_command), 0xd9963a56u);
}

TEST(Crc32c, ContinuesFromWhatCameBefore) {
  const std::string text = "123456789";
  EXPECT_EQ(Crc32c(text), 0xe3069283u);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(Crc32c(text.substr(cut), Crc32c(text.substr(0, cut))), Crc32c(text)) << cut;
  }
}

}  // namespace
}  // namespace benchfleet
