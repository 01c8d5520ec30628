#!/usr/bin/env python3
"""Holds the rules that the compiler cannot: who may include what, include guards, no sleep
in tests, no unfinished markers. Prints one line per violation and exits 1 when there is one.

CMake cannot keep layers apart here: gRPC, Protocol Buffers and Prometheus live in
/usr/include, so a target that links none of them can still include them.
"""

import os
import pathlib
import re
import sys

COMMON = ("common/base", "common/model", "common/stats", "common/os", "common/wire", "common/report",
          "common/jobfile", "common/runner")

# Our own folders: who may include whom. A folder may always include itself, and the
# longest name that a file's path begins with is its folder.
MAY_INCLUDE = {
    "common/base": (),
    "common/model": ("common/base",),
    "common/stats": ("common/base", "common/model"),
    "common/os": ("common/base", "common/model"),
    "common/wire": ("common/base", "common/model"),
    "common/report": ("common/base", "common/model", "common/stats", "common/wire"),
    "common/jobfile": ("common/base", "common/model", "common/wire"),
    "common/runner": ("common/base", "common/model", "common/os", "common/wire"),
    "server/core": ("common/base", "common/model", "common/stats", "common/os/digest.h"),  # digests do no I/O
    "server/store": ("common/base", "common/model", "common/os", "common/stats", "common/wire", "server/core"),
    "server/metrics": ("common/base", "common/model", "common/os", "common/stats", "server/core"),
    "server/http": ("common/base", "common/model", "common/os", "common/report", "server/core", "server/metrics"),
    "server/rpc": COMMON + ("server/core", "server/metrics"),
    "server": COMMON + ("server",),  # what stands beside main.cc
    "worker/core": ("common/base", "common/model", "common/stats", "common/os"),
    "worker/suites": ("common/base", "common/model", "common/os", "worker/core"),
    "worker/runner": ("common/base", "common/model", "common/os", "common/runner", "common/stats", "common/wire",
                      "worker/core", "worker/suites"),
    "worker/agent": COMMON,
    "worker": COMMON + ("worker/agent",),  # main.cc of benchfleet-worker, which never measures
    "cli": COMMON,
    "tests": ("common", "server", "worker", "cli"),
}

# Libraries: where their headers may appear, tests apart. A name that
# ends in '/' means what stands directly in that folder, beside main.cc.
GRPC = ("server/", "server/rpc", "worker/", "worker/agent", "cli")
PROTOBUF = GRPC + ("common/wire", "common/report", "common/jobfile", "common/runner", "server/store", "worker/runner",
                   "worker/suites")
LIBRARIES = (
    (r"(grpc|grpcpp)/.*|.*\.grpc\.pb\.h", GRPC),
    (r".*\.pb\.h|google/protobuf/.*", PROTOBUF),
    (r"prometheus/.*", ("server/", "server/metrics", "server/http")),
    (r"SQLiteCpp/.*|sqlite3\.h", ("server/store",)),
    (r"microhttpd\.h", ("server/http",)),
    (r"yaml-cpp/.*", ("common/jobfile",)),
    (r"CLI/.*", ("cli", "server/", "worker/", "worker/agent", "worker/runner")),
    (r"openssl/.*", ("common/os",)),
    (r"Python\.h", ("worker/suites",)),
    (r"(gtest|gmock|benchmark)/.*", ()),
)
# Of the standard library and the system, what the pure folders do without: files,
# threads and everything that asks the kernel.
IMPURE = re.compile(r"thread|future|fstream|filesystem|iostream|unistd\.h|fcntl\.h|poll\.h|spawn\.h|sys/.*")
PURE = ("common/model", "common/stats", "common/wire", "server/core", "worker/core")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# asyncio's sleep(0) only lets the others run.
SLEEP = re.compile(r"\b(sleep_for|sleep_until|SleepFor|usleep|nanosleep)\b|\bsleep\s*\((?!0\))")
MARKER = re.compile(r"\b(" + "TO" + "DO|FIX" + "ME)\\b")
HOME = re.compile(r"/(home|Users)/\w+/")
OUR_TOP = ("common/", "server/", "worker/", "cli/", "tests/")
SKIPPED_FOLDERS = {".git", "build", "out", "node_modules", ".benchfleet", ".cache", "__pycache__"}
TEXT_SUFFIXES = {"", ".cc", ".h", ".c", ".py", ".proto", ".md", ".txt", ".cmake", ".json", ".yaml", ".yml", ".sh"}


def is_in(path, folders):
    """Whether a path is one of the folders or in one; a name that ends in '/' has no sub-folders."""
    return any(path == folder or path.startswith(folder + "/") or folder == path.rpartition("/")[0] + "/"
               for folder in folders)


def folder_of(path):
    return max((f for f in MAY_INCLUDE if is_in(path, (f,))), key=len, default=None)


def check_include(root, path, quote, header):
    """Yields what is wrong with one include of one file."""
    folder = folder_of(path)
    if folder is None:
        return
    if header.startswith((".", "/")):
        yield f"include of '{header}': name it from the top of the repository"
    if header.startswith(OUR_TOP):
        if not (root / header).is_file():
            yield f"include of '{header}': no such file"
        if header.startswith("tests/") and folder != "tests":
            yield f"includes '{header}': nobody includes tests"
        elif folder_of(header) != folder and not is_in(header, MAY_INCLUDE[folder]):
            yield f"includes '{header}': {folder} may not include it"
    if folder == "tests":
        return
    for pattern, allowed in LIBRARIES:
        if re.fullmatch(pattern, header) and not is_in(path, allowed):
            yield f"includes '{header}': only {', '.join(allowed) or 'tests'} may"
            break
    if folder in PURE and IMPURE.fullmatch(header):
        yield f"includes '{header}': {folder} does no I/O and starts no thread"
    if folder == "common/base" and not header.startswith(("absl/",) + OUR_TOP):
        if quote == '"' or "/" in header and not header.startswith("sys/"):
            yield f"includes '{header}': common/base knows only the standard library and Abseil"


def guard_of(path):
    return "BENCHFLEET_" + re.sub(r"[^A-Za-z0-9]", "_", path).upper() + "_"


def check_guard(path, text):
    guard = guard_of(path)
    if not re.search(rf"^#ifndef {guard}\n#define {guard}\n", text, re.MULTILINE):
        yield f"include guard is not {guard}"


def check_file(root, path, text):
    """Yields what is wrong with one file; `path` is relative to `root`, with '/'."""
    if path.endswith((".h", ".cc")):
        for quote, header in INCLUDE.findall(text):
            yield from check_include(root, path, quote, header)
    if path.endswith(".h"):
        yield from check_guard(path, text)
    if path.startswith("tests/") and path.endswith((".h", ".cc", ".py")):
        for match in SLEEP.finditer(text):
            yield f"calls '{match.group(0)}': a test never sleeps"
    for match in MARKER.finditer(text):
        yield f"says '{match.group(0)}': finish it, or leave it out"
    for match in HOME.finditer(text):
        if not path.startswith("tests/"):
            yield f"names '{match.group(0)}': a path of one machine"
    if str(root).count("/") > 1 and str(root) + "/" in text:
        yield f"names '{root}/': a path of this machine"


def text_files(root):
    """Every text file of the checkout as a relative path, in order."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
        here = pathlib.Path(folder)
        found += [(here / name).relative_to(root).as_posix() for name in names
                  if pathlib.Path(name).suffix in TEXT_SUFFIXES and (here / name).is_file()]
    return sorted(found)


def check_tree(root):
    """Every violation below `root`, as 'path: what'."""
    problems = []
    for path in text_files(root):
        try:
            text = (root / path).read_text()
        except UnicodeDecodeError:
            continue
        problems += [f"{path}: {problem}" for problem in check_file(root, path, text)]
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = check_tree(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
