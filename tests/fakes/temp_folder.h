// A folder that lives as long as its test.
#ifndef BENCHFLEET_TESTS_FAKES_TEMP_FOLDER_H_
#define BENCHFLEET_TESTS_FAKES_TEMP_FOLDER_H_

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace benchfleet {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = testing::TempDir() + "benchfleet-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  // Writes a file and the folders above it; returns its path.
  std::string Write(const std::string& name, const std::string& content) const {
    const std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  // A program of the given text, with its "#!" line.
  std::string WriteProgram(const std::string& name, const std::string& content) const {
    const std::string path = Write(name, content);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

 private:
  std::string path_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_FAKES_TEMP_FOLDER_H_
