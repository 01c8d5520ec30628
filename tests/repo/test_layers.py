"""Feeds check_layers one violation at a time and sees each reported, and nothing else."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_layers  # noqa: E402

# Files a clean tree has, so that includes of them resolve.
CLEAN = {
    "common/base/clock.h": "#include <string>\n#include \"absl/time/time.h\"\n",
    "common/model/plan.h": "#include \"common/base/clock.h\"\n",
    "common/wire/plan_wire.h": "#include \"benchfleet/v1/job.pb.h\"\n",
    "common/os/process.h": "#include <sys/types.h>\n",
    "server/core/coordinator.h": "#include \"common/model/plan.h\"\n",
    "server/store/store.h": "#include <sqlite3.h>\n#include \"server/core/coordinator.h\"\n",
    "server/rpc/service.h": "#include <grpcpp/grpcpp.h>\n#include \"server/core/coordinator.h\"\n",
    "worker/core/subject.h": "#include \"common/os/process.h\"\n",
    "worker/agent/agent.h": "#include \"grpcpp/grpcpp.h\"\n#include \"common/wire/plan_wire.h\"\n",
    "server/main.cc": "#include <grpcpp/grpcpp.h>\n#include \"server/store/store.h\"\n",
    "cli/client.h": "#include \"benchfleet/v1/job.grpc.pb.h\"\n",
    "tests/fakes/fake.h": "#include <thread>\n#include <gtest/gtest.h>\n#include \"server/core/coordinator.h\"\n",
}

# (file, text appended to it, what the report must say)
INCLUDES = [
    ("common/base/clock.h", '"common/model/plan.h"', "common/base may not include it"),
    ("common/base/clock.h", "<fmt/core.h>", "knows only the standard library and Abseil"),
    ("common/base/clock.h", '"fmt/core.h"', "knows only the standard library and Abseil"),
    ("common/model/plan.h", '"common/wire/plan_wire.h"', "common/model may not include it"),
    ("common/model/plan.h", "<fstream>", "does no I/O"),
    ("common/model/plan.h", '"benchfleet/v1/job.pb.h"', "includes 'benchfleet/v1/job.pb.h': only"),
    ("common/os/process.h", "<google/protobuf/message.h>", "includes 'google/protobuf/message.h': only"),
    ("common/wire/plan_wire.h", "<grpcpp/support/status.h>", "includes 'grpcpp/support/status.h': only"),
    ("server/core/coordinator.h", '"server/store/store.h"', "server/core may not include it"),
    ("server/core/coordinator.h", '"worker/core/subject.h"', "server/core may not include it"),
    ("server/core/coordinator.h", '"common/os/process.h"', "server/core may not include it"),
    ("server/core/coordinator.h", "<grpcpp/grpcpp.h>", "includes 'grpcpp/grpcpp.h': only"),
    ("server/core/coordinator.h", '"benchfleet/v1/job.pb.h"', "includes 'benchfleet/v1/job.pb.h': only"),
    ("server/core/coordinator.h", "<prometheus/registry.h>", "includes 'prometheus/registry.h': only"),
    ("server/core/coordinator.h", "<sqlite3.h>", "includes 'sqlite3.h': only"),
    ("server/core/coordinator.h", "<SQLiteCpp/SQLiteCpp.h>", "includes 'SQLiteCpp/SQLiteCpp.h': only"),
    ("server/core/coordinator.h", "<thread>", "starts no thread"),
    ("worker/core/subject.h", "<sys/socket.h>", "does no I/O"),
    ("server/main.cc", "<sqlite3.h>", "includes 'sqlite3.h': only"),
    ("server/main.cc", '"worker/core/subject.h"', "server may not include it"),
    ("server/store/store.h", "<grpcpp/grpcpp.h>", "includes 'grpcpp/grpcpp.h': only"),
    ("server/rpc/service.h", '"server/store/store.h"', "server/rpc may not include it"),
    ("worker/agent/agent.h", '"server/core/coordinator.h"', "worker/agent may not include it"),
    ("worker/main.cc", '"worker/core/subject.h"', "worker may not include it"),
    ("cli/client.h", '"server/core/coordinator.h"', "cli may not include it"),
    ("cli/client.h", '"worker/core/subject.h"', "cli may not include it"),
    ("server/rpc/service.h", '"tests/fakes/fake.h"', "nobody includes tests"),
    ("server/rpc/service.h", "<gtest/gtest.h>", "only tests may"),
    ("cli/client.h", '"common/model/gone.h"', "no such file"),
    ("cli/client.h", '"../common/model/plan.h"', "from the top of the repository"),
]
TEXTS = [("tests/fakes/fake.h", call, "a test never sleeps")
         for call in ("std::this_thread::sleep" + "_for(d);", "absl::Sleep" + "For(d);", "us" + "leep(1);",
                      "::sl" + "eep(1);", "nanosl" + "eep(&t, nullptr);")]
TEXTS += [("tests/e2e/test_it.py", "time.sl" + "eep(1)\n", "a test never sleeps"),
          ("docs/page.md", "TO" + "DO: write\n", "finish it"),
          ("cli/client.h", "// FIX" + "ME\n", "finish it"),
          ("tools/run", "cd /ho" + "me/anna/src\n", "a path of one machine")]


def header(path, text):
    guard = check_layers.guard_of(path)
    return f"#ifndef {guard}\n#define {guard}\n{text}#endif  // {guard}\n"


class LayersTest(unittest.TestCase):
    def problems(self, path="", extra=""):
        """What is reported for the clean tree with `extra` added to one of its files."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in dict.fromkeys([*CLEAN, path] if path else CLEAN):
                text = CLEAN.get(name, "") + (extra if name == path else "")
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(header(name, text) if name.endswith(".h") else text)
            return check_layers.check_tree(root)

    def test_a_clean_tree_has_no_problem(self):
        self.assertEqual(self.problems(), [])

    def test_every_forbidden_include_is_reported(self):
        for path, include, want in INCLUDES:
            with self.subTest(path=path, include=include):
                problems = self.problems(path, f"#include {include}\n")
                self.assertEqual(len(problems), 1, problems)
                self.assertTrue(problems[0].startswith(path + ": "), problems)
                self.assertIn(want, problems[0])

    def test_every_forbidden_text_is_reported(self):
        for path, text, want in TEXTS:
            with self.subTest(path=path, text=text):
                problems = self.problems(path, text)
                self.assertEqual(len(problems), 1, problems)
                self.assertTrue(problems[0].startswith(path + ": "), problems)
                self.assertIn(want, problems[0])

    def test_a_path_of_the_checkout_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "README.md").write_text(f"see {root}/docs\n")
            self.assertIn("a path of this machine", check_layers.check_tree(root)[0])

    def test_a_wrong_guard_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "cli").mkdir()
            (root / "cli/client.h").write_text("#ifndef CLIENT_H\n#define CLIENT_H\n#endif\n")
            self.assertEqual(check_layers.check_tree(root),
                             ["cli/client.h: include guard is not BENCHFLEET_CLI_CLIENT_H_"])

    def test_build_folders_are_not_read(self):
        self.assertEqual(self.problems("build/release/x.cc", "// TO" + "DO\n"), [])


if __name__ == "__main__":
    unittest.main()
