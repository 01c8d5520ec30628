#include "worker/suites/compile/probes.h"

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"
#include "common/model/compile.h"
#include "common/os/digest.h"

namespace benchfleet {

namespace {

using compile::kC;
using compile::kFortran;

// The word that both gcc 9 to 13 and later ones, and clang, know for C23.
constexpr absl::string_view kC23 = "-std=c2x";

constexpr Probe kProbes[] = {
    {kFortran, "minimal", "fortran/minimal.f90", "", ProbeKind::kMinimal},
    {kFortran, "f2003ieee", "fortran/f2003ieee.f90", "", ProbeKind::kFeature},
    {kFortran, "f2003utf8", "fortran/f2003utf8.f90", "", ProbeKind::kFeature},
    {kFortran, "f2008rank15", "fortran/f2008rank15.f90", "", ProbeKind::kFeature},
    {kFortran, "f2008contiguous", "fortran/f2008contiguous.f90", "", ProbeKind::kFeature},
    {kFortran, "f2018errorstop", "fortran/f2018errorstop.f90", "", ProbeKind::kFeature},
    {kFortran, "f2008kind", "fortran/f2008kind.f90", "", ProbeKind::kFeature},
    {kFortran, "f2008version", "fortran/f2008version.f90", "", ProbeKind::kFeature},
    {kFortran, "f2008block", "fortran/f2008block.f90", "", ProbeKind::kFeature},
    {kFortran, "f2018randominit", "fortran/f2018randominit.f90", "", ProbeKind::kFeature},
    {kFortran, "f2018properties", "fortran/f2018properties.f90", "", ProbeKind::kFeature},
    {kFortran, "f2023rank", "fortran/f2023rank.f90", "", ProbeKind::kFeature},
    {kFortran, "f2023real16", "fortran/f2023real16.f90", "", ProbeKind::kFeature},
    {kFortran, "f2023ternary", "fortran/f2023ternary.f90", "", ProbeKind::kFeature},
    {kFortran, "f2023tokenize", "fortran/f2023tokenize.f90", "", ProbeKind::kFeature},
    {kFortran, "f2023enum", "fortran/f2023enum.f90", "", ProbeKind::kFeature},
    {kFortran, "neg_syntax", "fortran/neg_syntax.f90", "", ProbeKind::kControl},
    {kFortran, "neg_module", "fortran/neg_module.f90", "", ProbeKind::kControl},
    {kFortran, "neg_link", "fortran/neg_link.f90", "", ProbeKind::kLinkControl},
    {kC, "c_minimal", "c/c_minimal.c", "", ProbeKind::kMinimal},
    {kC, "c99_complex", "c/c99_complex.c", "", ProbeKind::kFeature},
    {kC, "c99_vla", "c/c99_vla.c", "", ProbeKind::kFeature},
    {kC, "c99_designated", "c/c99_designated.c", "", ProbeKind::kFeature},
    {kC, "c11_generic", "c/c11_generic.c", "", ProbeKind::kFeature},
    {kC, "c11_atomic", "c/c11_atomic.c", "", ProbeKind::kFeature},
    {kC, "c11_threads", "c/c11_threads.c", "", ProbeKind::kFeature},
    {kC, "c11_alignas", "c/c11_alignas.c", "", ProbeKind::kFeature},
    {kC, "c17_version", "c/c17_version.c", "", ProbeKind::kFeature},
    {kC, "c23_bitint", "c/c23_bitint.c", kC23, ProbeKind::kFeature},
    {kC, "c23_constexpr", "c/c23_constexpr.c", kC23, ProbeKind::kFeature},
    {kC, "c23_nullptr", "c/c23_nullptr.c", kC23, ProbeKind::kFeature},
    {kC, "neg_syntax", "c/neg_syntax.c", "", ProbeKind::kControl},
    {kC, "neg_header", "c/neg_header.c", "", ProbeKind::kControl},
    {kC, "neg_link", "c/neg_link.c", "", ProbeKind::kLinkControl},
};

}  // namespace

std::vector<Probe> ProbesOf(absl::string_view language) {
  std::vector<Probe> probes;
  for (const Probe& probe : kProbes) {
    if (probe.language == language) probes.push_back(probe);
  }
  return probes;
}

absl::StatusOr<std::string> ProbeSetDigest(const std::string& folder, absl::string_view language) {
  std::string list;
  for (const Probe& probe : ProbesOf(language)) {
    BF_ASSIGN_OR_RETURN(const std::string digest, Sha256HexOfFile(absl::StrCat(folder, "/", probe.file)));
    absl::StrAppend(&list, digest, "  ", probe.file, "\n");
  }
  return Sha256Hex(list);
}

}  // namespace benchfleet
