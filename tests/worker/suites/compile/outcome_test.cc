#include "worker/suites/compile/outcome.h"

#include <errno.h>
#include <signal.h>

#include "common/model/states.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

CompileEnd Ended(int status, std::string log, bool has_output = false) {
  CompileEnd end;
  end.status = status;
  end.has_output = has_output;
  end.log = std::move(log);
  return end;
}

// What compilers print, as they printed it (gcc and gfortran 12.2, clang 14, flang 16, tcc
// 0.9.27): under stages that kill themselves, limits, a full disk, missing programs.
struct Words {
  const char* name;
  CompileOutcome outcome;
  int exit_code;
  const char* log;
};

constexpr Words kWords[] = {
    // Refusals, also those that look like something else.
    {"gfortran refuses", CompileOutcome::kRefused, 1,
     "f2023rank.f90:2:10:\n\n    2 |  integer, rank(1), allocatable :: w\n      |          1\n"
     "Error: Invalid character in name at (1)\n"},
    {"gfortran misses a module", CompileOutcome::kRefused, 1,
     "neg_module.f90:2:6:\n\n    2 |  use no_such_module_at_all\n      |      1\n"
     "Fatal Error: Cannot open module file 'no_such_module_at_all.mod' for reading at (1): No such file or directory\n"
     "compilation terminated.\n"},
    {"gfortran misses a symbol", CompileOutcome::kRefused, 1,
     "/usr/bin/ld: /tmp/cc6014fz.o: in function `MAIN__':\n"
     "neg_link.f90:(.text+0xa): undefined reference to `nosuch_symbol_xyz_'\n"
     "collect2: error: ld returned 1 exit status\n"},
    {"gcc misses a header", CompileOutcome::kRefused, 1,
     "neg_header.c:1:10: fatal error: no/such/header.h: No such file or directory\n"
     "    1 | #include <no/such/header.h>\n      |          ^~~~~~~~~~~~~~~~~~\ncompilation terminated.\n"},
    {"gcc refuses", CompileOutcome::kRefused, 1,
     "c23_bitint.c: In function 'main':\nc23_bitint.c:1:17: error: implicit declaration of function '_BitInt' "
     "[-Werror=implicit-function-declaration]\ncc1: some warnings being treated as errors\n"},
    {"clang misses a symbol", CompileOutcome::kRefused, 1,
     "/usr/bin/ld: /tmp/neg_link-202061.o: in function `main':\n"
     "neg_link.c:(.text+0x10): undefined reference to `nosuch_symbol_xyz'\n"
     "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n"},
    {"clang refuses", CompileOutcome::kRefused, 1,
     "c23_constexpr.c:1:1: error: unknown type name 'constexpr'\nconstexpr int n = 3;\n^\n1 error generated.\n"},
    {"flang cannot parse", CompileOutcome::kRefused, 1,
     "error: Could not parse f2023rank.f90\nf2023rank.f90:2:32: error: expected end of statement\n"},
    {"flang 16 has not implemented it", CompileOutcome::kRefused, 1,
     "error: loc(\"f2008block.f90\":5:2): flang/lib/Lower/Bridge.cpp:2089: not yet implemented: BlockConstruct "
     "implementation\n"},
    {"later flangs end themselves then", CompileOutcome::kRefused, 1,
     "error: loc(\"f2008block.f90\":5:2): flang/lib/Lower/Bridge.cpp:2089: not yet implemented: BlockConstruct\n"
     "LLVM ERROR: aborting\n"},
    {"tcc refuses", CompileOutcome::kRefused, 1, "neg_link.c:1: error: undefined symbol 'nosuch_symbol_xyz'\n"},
    {"a source quotes a driver", CompileOutcome::kRefused, 1,
     "lie.c:1:2: error: #error Killed signal terminated program f951 internal compiler error: No space left on device\n"
     "    1 | #error Killed signal terminated program f951 internal compiler error: No space left on device\n"
     "      |  ^~~~~\n"},
    // Killed from outside, or by a limit.
    {"f951 by SIGKILL", CompileOutcome::kKilled, 1,
     "gfortran: fatal error: Killed signal terminated program f951\ncompilation terminated.\n"},
    {"cc1 by SIGTERM", CompileOutcome::kKilled, 1,
     "gcc: fatal error: Terminated signal terminated program cc1\ncompilation terminated.\n"},
    {"f951 by its CPU limit", CompileOutcome::kKilled, 4,
     "gfortran: internal compiler error: CPU time limit exceeded signal terminated program f951\n"
     "Please submit a full bug report, with preprocessed source (by using -freport-bug).\n"},
    {"as by the limit of files", CompileOutcome::kKilled, 4,
     "gcc: internal compiler error: File size limit exceeded signal terminated program as\n"
     "Please submit a full bug report, with preprocessed source (by using -freport-bug).\n"},
    {"ld of gcc by SIGKILL", CompileOutcome::kKilled, 1,
     "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.\n"},
    {"ld of clang by SIGKILL", CompileOutcome::kKilled, 254,
     "clang: error: unable to execute command: Killed\n"
     "clang: error: linker command failed due to signal (use -v to see invocation)\n"},
    {"a wrapper's program by SIGKILL", CompileOutcome::kKilled, 137, ""},
    {"fort1 by SIGKILL", CompileOutcome::kKilled, 127,
     "nvfortran-Fatal-/opt/nvidia/hpc_sdk/Linux_x86_64/21.1/compilers/bin/tools/fort1 TERMINATED by signal 9\n"},
    // Crashed.
    {"fort1 by SIGSEGV", CompileOutcome::kCrashed, 127,
     "nvfortran-Fatal-/opt/nvidia/hpc_sdk/Linux_x86_64/21.1/compilers/bin/tools/fort1 TERMINATED by signal 11\n"},
    {"f951 by SIGSEGV", CompileOutcome::kCrashed, 4,
     "gfortran: internal compiler error: Segmentation fault signal terminated program f951\n"
     "Please submit a full bug report, with preprocessed source (by using -freport-bug).\n"},
    {"cc1 by SIGABRT", CompileOutcome::kCrashed, 4,
     "gcc: internal compiler error: Aborted signal terminated program cc1\n"},
    {"a stage reports its own crash", CompileOutcome::kCrashed, 1,
     "f951: internal compiler error: Segmentation fault\n0x7f12 crash_signal\n"},
    {"a stage crashes at a place", CompileOutcome::kCrashed, 1,
     "deep.c:3:5: internal compiler error: in gen_rtx, at rtl.c:12\n    3 | x\n"},
    {"ld of gcc by SIGSEGV", CompileOutcome::kCrashed, 1,
     "collect2: fatal error: ld terminated with signal 11 [Segmentation fault]\ncompilation terminated.\n"},
    {"ld of clang by SIGSEGV", CompileOutcome::kCrashed, 254,
     "clang: error: unable to execute command: Segmentation fault\n"
     "clang: error: linker command failed due to signal (use -v to see invocation)\n"},
    {"clang crashes", CompileOutcome::kCrashed, 132,
     "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace\n"
     "Stack dump:\n0.\tProgram arguments: clang -c crash.c -o o.o\n"
     "clang: error: clang frontend command failed with exit code 132 (use -v to see invocation)\n"},
    {"clang's back end gives up", CompileOutcome::kCrashed, 74,
     "fatal error: error in backend: Cannot select: intrinsic\n"},
    {"a wrapper's program by SIGSEGV", CompileOutcome::kCrashed, 139, ""},
    // The host.
    {"no process left for cc1", CompileOutcome::kInfrastructure, 1,
     "gcc: fatal error: cannot execute '/usr/lib/gcc/x86_64-linux-gnu/12/cc1': vfork: Resource temporarily "
     "unavailable\ncompilation terminated.\n"},
    {"no process left for ld", CompileOutcome::kInfrastructure, 1,
     "collect2: fatal error: vfork: Resource temporarily unavailable\ncompilation terminated.\n"},
    {"no process left for flang", CompileOutcome::kInfrastructure, 1,
     "flang-new: error: unable to execute command: posix_spawn failed: Resource temporarily unavailable\n"},
    {"no thread left for flang, which then aborts", CompileOutcome::kInfrastructure, 254,
     "LLVM ERROR: pthread_create failed: Resource temporarily unavailable\n"
     "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\n"
     "flang-new: error: unable to execute command: Aborted\n"
     "flang-new: error: flang frontend command failed due to signal (use -v to see invocation)\n"},
    {"no as", CompileOutcome::kInfrastructure, 1,
     "gcc: fatal error: cannot execute 'as': execvp: No such file or directory\ncompilation terminated.\n"},
    {"no f951", CompileOutcome::kInfrastructure, 1,
     "gfortran: fatal error: cannot execute 'f951': execvp: No such file or directory\ncompilation terminated.\n"},
    {"no program for ld of gcc", CompileOutcome::kInfrastructure, 1,
     "collect2: fatal error: execvp: No such file or directory\ncompilation terminated.\n"},
    {"no program for ld of clang", CompileOutcome::kInfrastructure, 1,
     "clang: error: unable to execute command: posix_spawn failed: No such file or directory\n"
     "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n"},
    {"no space for as", CompileOutcome::kInfrastructure, 1,
     "/tmp/ccr4AVuG.s: Assembler messages:\n"
     "/tmp/ccr4AVuG.s: Fatal error: can't write 11 bytes to section .text of full/o.o: 'No space left on device'\n"},
    {"no space for ld", CompileOutcome::kInfrastructure, 1,
     "/usr/bin/ld: final link failed: No space left on device\ncollect2: error: ld returned 1 exit status\n"},
    {"no space for cc1", CompileOutcome::kInfrastructure, 1,
     "c_minimal.c:1:1: fatal error: error closing /tmp/full/ccPCXs5G.s: No space left on device\n"
     "    1 | int main(void){return 0;}\n      | ^~~\ncompilation terminated.\n"},
    {"no space for f951", CompileOutcome::kInfrastructure, 1,
     "minimal.f90:2:13:\n\n    2 | end program p\n      |             ^\n"
     "Fatal Error: error closing /tmp/full/ccrYZcdo.s: No space left on device\ncompilation terminated.\n"},
    {"no space for a module file", CompileOutcome::kInfrastructure, 1,
     "f951: Fatal Error: Error writing module file 'full/m.mod0' for writing: No space left on device\n"
     "compilation terminated.\n"},
    {"no space for clang, which then dumps", CompileOutcome::kInfrastructure, 1,
     "fatal error: error in backend: IO failure on output stream: No space left on device\n"
     "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\nStack dump:\n"},
    {"no descriptor for cc1", CompileOutcome::kInfrastructure, 1,
     "<command-line>: fatal error: /usr/include/stdc-predef.h: Too many open files\ncompilation terminated.\n"},
    {"no descriptor for clang", CompileOutcome::kInfrastructure, 1,
     "error: unable to open output file 'o.o': 'Too many open files'\n1 error generated.\n"},
    {"no descriptor for ld", CompileOutcome::kInfrastructure, 1,
     "/usr/bin/ld: plugin framework: out of file descriptors. Try using fewer objects/archives\n"
     "/usr/bin/ld: cannot find -lgcc: Too many open files\ncollect2: error: ld returned 1 exit status\n"},
    {"no memory for cc1", CompileOutcome::kInfrastructure, 1, "virtual memory exhausted: Cannot allocate memory\n"},
    {"no memory for a stage", CompileOutcome::kInfrastructure, 1,
     "cc1: out of memory allocating 65536 bytes after a total of 60796928 bytes\n"},
    {"no memory for LLVM", CompileOutcome::kInfrastructure, 134, "LLVM ERROR: out of memory\n"},
    {"no memory for tcc", CompileOutcome::kInfrastructure, 1, "mem.c:8: error: memory full (realloc)\n"},
    {"no memory for the loader", CompileOutcome::kInfrastructure, 127,
     "clang: error while loading shared libraries: libLLVM-14.so.1: failed to map segment from shared object\n"},
    {"no folder for clang's output", CompileOutcome::kInfrastructure, 1,
     "error: unable to open output file '/nonexistent/o.o': 'No such file or directory'\n1 error generated.\n"},
    {"no folder for as", CompileOutcome::kInfrastructure, 1,
     "Assembler messages:\nFatal error: can't create /nonexistent/o.o: No such file or directory\n"},
    {"no folder for ld", CompileOutcome::kInfrastructure, 1,
     "/usr/bin/ld: cannot open output file /nonexistent/o: No such file or directory\n"
     "collect2: error: ld returned 1 exit status\n"},
    {"no folder for tcc", CompileOutcome::kInfrastructure, 1, "tcc: error: could not write '/nonexistent/o.o'\n"},
    {"nothing is said, as on a full disk", CompileOutcome::kInfrastructure, 1, " \n"},
    {"no folder for temporary files", CompileOutcome::kInfrastructure, 1,
     "clang: error: unable to make temporary file: No such file or directory\n"},
};

TEST(OutcomeTest, WordsOfCompilersDecide) {
  for (const Words& words : kWords) {
    EXPECT_EQ(Word(JudgeCompile(Ended(words.exit_code, words.log))), Word(words.outcome)) << words.name;
  }
}

TEST(OutcomeTest, SuccessNeedsItsOutput) {
  EXPECT_EQ(JudgeCompile(Ended(0, "", true)), CompileOutcome::kAccepted);
  EXPECT_EQ(JudgeCompile(Ended(0, "", false)), CompileOutcome::kInfrastructure);
  // What was said on the way does not matter then.
  EXPECT_EQ(JudgeCompile(Ended(0, "gcc: fatal error: Killed signal terminated program cc1\n", true)),
            CompileOutcome::kAccepted);
  EXPECT_EQ(JudgeCompile(Ended(1, "a.c:1: error: no\n", true)), CompileOutcome::kRefused);
}

TEST(OutcomeTest, SignalsOfTheDriver) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS}) {
    EXPECT_EQ(JudgeCompile(Ended(-signal, "")), CompileOutcome::kCrashed) << signal;
  }
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGXFSZ, SIGPIPE, SIGUSR1}) {
    EXPECT_EQ(JudgeCompile(Ended(-signal, "", true)), CompileOutcome::kKilled) << signal;
  }
}

TEST(OutcomeTest, WhatWasNotStartedOrHasNotEnded) {
  CompileEnd end;
  EXPECT_EQ(JudgeCompile(end), CompileOutcome::kTimeout);
  end.launch_errno = ENOENT;
  EXPECT_EQ(JudgeCompile(end), CompileOutcome::kInfrastructure);
}

TEST(OutcomeTest, TellingLineIsTheLastError) {
  EXPECT_EQ(TellingLine(""), "");
  EXPECT_EQ(TellingLine("\n \n"), "");
  EXPECT_EQ(TellingLine("one\ntwo\n\n"), "two");
  EXPECT_EQ(TellingLine("a.c:1: Error: first\ngcc: fatal error: second\ncompilation terminated.\n"),
            "gcc: fatal error: second");
}

}  // namespace
}  // namespace benchfleet
