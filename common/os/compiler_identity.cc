#include "common/os/compiler_identity.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/model/compile.h"
#include "common/os/program_search.h"

namespace benchfleet {
namespace {

constexpr absl::string_view kMark = "benchfleet_compiler";
constexpr size_t kMaxTargetBytes = 100;

// Most specific first: nearly all of them define __GNUC__, many __clang__. The middle
// branch is for those that do and are neither. Intel encoded versions otherwise before
// 2021.2.
constexpr CompilerQuestion kCQuestion = {"c", "identify.c",
                                         R"(#if defined(__NVCOMPILER)
benchfleet_compiler nvc __NVCOMPILER_MAJOR__ __NVCOMPILER_MINOR__ __NVCOMPILER_PATCHLEVEL__
#elif defined(__INTEL_LLVM_COMPILER)
#if __INTEL_LLVM_COMPILER >= 20210200
benchfleet_compiler icx __INTEL_LLVM_COMPILER
#endif
#elif defined(__INTEL_COMPILER) || defined(__PGI) || defined(__PATHCC__) || defined(__LCC__) || defined(__PCC__) \
    || defined(__SUNPRO_C) || defined(__ibmxl__) || defined(__open_xl__) || defined(__CLANG_FUJITSU) \
    || defined(__ARMCOMPILER_VERSION) || defined(__apple_build_version__)
#elif defined(__clang__)
benchfleet_compiler clang __clang_major__ __clang_minor__ __clang_patchlevel__
#elif defined(__TINYC__)
benchfleet_compiler tcc __TINYC__
#elif defined(__GNUC__)
benchfleet_compiler gcc __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__
#endif
)"};

// __FLANG is the flang before LLVM's, another compiler.
constexpr CompilerQuestion kFortranQuestion = {"fortran", "identify.F90",
                                               R"(#if defined(__NVCOMPILER) || defined(__NVCOMPILER_LLVM__)
#if defined(__NVCOMPILER_MAJOR__)
benchfleet_compiler nvfortran __NVCOMPILER_MAJOR__ __NVCOMPILER_MINOR__ __NVCOMPILER_PATCHLEVEL__
#else
benchfleet_compiler nvfortran __PGIC__ __PGIC_MINOR__ __PGIC_PATCHLEVEL__
#endif
#elif defined(__INTEL_LLVM_COMPILER)
#if __INTEL_LLVM_COMPILER >= 20210200
benchfleet_compiler ifx __INTEL_LLVM_COMPILER
#endif
#elif defined(__flang__) && !defined(__FLANG)
benchfleet_compiler flang __flang_major__ __flang_minor__ __flang_patchlevel__
#elif defined(__GFORTRAN__)
benchfleet_compiler gfortran __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__
#endif
)"};

bool IsOneOf(absl::string_view word, const std::vector<absl::string_view>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "2", "927": what a version macro expands to.
std::optional<int> ParseNumber(absl::string_view text) {
  int number = 0;
  if (!IsDigits(text) || !absl::SimpleAtoi(text, &number)) return std::nullopt;
  return number;
}

// Three numbers, or one that packs three: 927 is 0.9.27, 20230201 is 2023.2.1.
std::optional<std::vector<int>> ParseVersion(const std::vector<absl::string_view>& words) {
  std::vector<int> version;
  for (absl::string_view word : words) {
    const std::optional<int> number = ParseNumber(word);
    if (!number.has_value()) return std::nullopt;
    version.push_back(*number);
  }
  if (version.size() == 1) version = {version[0] / 10000, version[0] / 100 % 100, version[0] % 100};
  if (version.size() != 3) return std::nullopt;
  return version;
}

// Which of GNU's two drivers this is, only its own greeting says.
bool IsThatDriver(absl::string_view name, absl::string_view version_text) {
  const bool gnu_fortran = absl::StartsWith(version_text, "GNU Fortran");
  return (name != "gfortran" || gnu_fortran) && (name != "gcc" || !gnu_fortran);
}

// One name for what GNU's triplets, LLVM's and the kernel call otherwise.
std::string Architecture(absl::string_view name) {
  constexpr std::array<std::pair<absl::string_view, absl::string_view>, 5> kAliases = {{{"amd64", "x86_64"},
                                                                                        {"arm64", "aarch64"},
                                                                                        {"powerpc", "ppc"},
                                                                                        {"powerpc64", "ppc64"},
                                                                                        {"powerpc64le", "ppc64le"}}};
  for (const auto& [alias, architecture] : kAliases) {
    if (name == alias) return std::string(architecture);
  }
  if (name.size() == 4 && name[0] == 'i' && absl::EndsWith(name, "86")) return "i386";
  if (absl::StartsWith(name, "arm")) return "arm";
  return std::string(name);
}

}  // namespace

std::vector<CompilerQuestion> CompilerQuestions(absl::string_view file_name) {
  const bool fortran = absl::StrContains(file_name, "fort") || absl::StrContains(file_name, "flang") ||
                       absl::StrContains(file_name, "ifx");
  if (fortran) return {kFortranQuestion, kCQuestion};
  return {kCQuestion, kFortranQuestion};
}

std::optional<CompilerIdentity> ParseCompilerIdentity(absl::string_view preprocessed, absl::string_view version_text) {
  for (absl::string_view line : absl::StrSplit(preprocessed, '\n')) {
    std::vector<absl::string_view> words = absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    if (words.size() < 2 || words[0] != kMark) continue;
    const absl::string_view name = words[1];
    const auto* const known = std::find(compile::kCompilers.begin(), compile::kCompilers.end(), name);
    words.erase(words.begin(), words.begin() + 2);
    std::optional<std::vector<int>> version = ParseVersion(words);
    if (known == compile::kCompilers.end() || !version.has_value() || !IsThatDriver(name, version_text)) {
      return std::nullopt;
    }
    return CompilerIdentity{static_cast<size_t>(known - compile::kCompilers.begin()), *std::move(version)};
  }
  return std::nullopt;
}

bool IsCompilerName(absl::string_view file_name) {
  // The longest first: "flang-new" is no version "new" of flang.
  for (absl::string_view name :
       {"gcc", "cc", "clang", "icx", "nvc", "tcc", "gfortran", "flang-new", "flang", "ifx", "nvfortran"}) {
    absl::string_view rest = file_name;
    if (!absl::ConsumePrefix(&rest, name)) continue;
    if (rest.empty()) return true;
    if (!absl::ConsumePrefix(&rest, "-")) continue;
    const std::vector<absl::string_view> version = absl::StrSplit(rest, '.');
    if (std::all_of(version.begin(), version.end(), IsDigits)) return true;
  }
  return false;
}

bool IsCompilerImpostor(absl::string_view file_name) {
  return IsOneOf(file_name, {"ccache", "sccache", "distcc", "icecc", "colorgcc", "buildcache"});
}

std::string CompilerVersionText(absl::string_view out, absl::string_view err) {
  for (absl::string_view stream : {out, err}) {
    for (absl::string_view line : absl::StrSplit(stream, '\n')) {
      std::string text(line);
      std::erase_if(text, [](char c) { return !absl::ascii_isprint(static_cast<unsigned char>(c)); });
      absl::StripAsciiWhitespace(&text);
      if (!text.empty()) return text.substr(0, kMaxVersionTextBytes);
    }
  }
  return "";
}

std::string ParseCompilerTarget(absl::string_view answer) {
  const absl::string_view target = absl::StripAsciiWhitespace(answer);
  const bool plausible = target.size() <= kMaxTargetBytes && std::all_of(target.begin(), target.end(), [](char c) {
                           return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("_.-", c);
                         });
  return plausible ? std::string(target) : "";
}

bool IsNativeTarget(absl::string_view target, absl::string_view machine) {
  if (target.empty()) return true;
  const std::vector<absl::string_view> parts = absl::StrSplit(target, '-');
  return Architecture(parts[0]) == Architecture(machine) && absl::StrContains(target, "-linux");
}

std::vector<std::string> CompilerStages(absl::string_view compiler_name) {
  if (compiler_name == "gfortran") return {"f951", "as", "collect2", "ld"};
  if (compiler_name == "gcc") return {"cc1", "as", "collect2", "ld"};
  // LLVM's drivers compile and assemble in themselves; the others do not answer.
  if (IsOneOf(compiler_name, {"clang", "flang", "icx", "ifx"})) return {"ld"};
  return {};
}

}  // namespace benchfleet
