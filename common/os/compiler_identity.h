// What compilers say of themselves, and how to ask them.
#ifndef BENCHFLEET_COMMON_OS_COMPILER_IDENTITY_H_
#define BENCHFLEET_COMMON_OS_COMPILER_IDENTITY_H_

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace benchfleet {

// A file to be preprocessed with -E: one line remains where the macros are those of a
// compiler we know.
struct CompilerQuestion {
  const char* language;   // compile::kFortran or kC
  const char* file_name;  // compilers know the language by its end
  const char* text;
};

// One for each language, in the order that suits an executable of this name.
std::vector<CompilerQuestion> CompilerQuestions(absl::string_view file_name);

// Ordered as a host lists its compilers.
struct CompilerIdentity {
  size_t rank = 0;           // of its name in compile::kCompilers
  std::vector<int> version;  // three numbers
  friend auto operator<=>(const CompilerIdentity&, const CompilerIdentity&) = default;
};

// From what -E left of a question. GNU's C driver preprocesses Fortran and the other way
// round, each as the other would, so `version_text` decides between those two. nullopt:
// none we know.
std::optional<CompilerIdentity> ParseCompilerIdentity(absl::string_view preprocessed, absl::string_view version_text);

// "gcc", "clang-14", "flang-new-16": a name that a compiler usually has.
bool IsCompilerName(absl::string_view file_name);
// A cache or distributor that does as if it were the compiler it is called by.
bool IsCompilerImpostor(absl::string_view file_name);

// The first line with anything in it, printable ASCII only, at most kMaxVersionTextBytes.
inline constexpr size_t kMaxVersionTextBytes = 200;
std::string CompilerVersionText(absl::string_view out, absl::string_view err);

// What -dumpmachine answered; empty unless it is one "x86_64-linux-gnu".
std::string ParseCompilerTarget(absl::string_view answer);
// Whether programs for `target` run on a Linux kernel that calls its machine `machine`;
// an empty target counts as native.
bool IsNativeTarget(absl::string_view target, absl::string_view machine);

// The programs that this compiler runs and finds by -print-prog-name.
std::vector<std::string> CompilerStages(absl::string_view compiler_name);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_OS_COMPILER_IDENTITY_H_
