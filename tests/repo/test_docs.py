"""Feeds check_docs one broken document at a time and sees each reported, and nothing else."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_docs  # noqa: E402

CLEAN = {
    "README.md": "# Top\n`docs/`, `server/`, see [steps](docs/life_of_a_job.md#the-steps) and [the top](#top).\n"
                 "```\nnot [a link](nowhere) nor `docs/gone.md`\n```\n",
    "docs/life_of_a_job.md": "# The steps\n\n1. The client asks: `server/core.h`, `Core::Ask`.\n"
                             "2. It is done,\n   `server/core.h`, `Finish()`.\n",
    "server/core.h": "class Core { void Ask(); void Finish(); };\n",
}

# (file, text that replaces, by which, what the report must say)
BROKEN = [
    ("README.md", "life_of_a_job.md#", "gone.md#", "no such file"),
    ("README.md", "#the-steps", "#the-step", "no such heading"),
    ("README.md", "#top", "#bottom", "no such heading"),
    ("README.md", "`server/`", "`server`", "does not describe the folder 'server/'"),
    ("README.md", "`docs/`,", "`docs/`, `server/gone.cc`", "names 'server/gone.cc', which does not exist"),
    ("docs/life_of_a_job.md", "Core::Ask", "Core::Answer", "step 1: 'Core::Answer' is in none"),
    ("docs/life_of_a_job.md", "Finish()", "Fin()", "step 2: 'Fin()' is in none"),
    ("docs/life_of_a_job.md", ", `Core::Ask`", "", "step 1 names no file or no function"),
    ("docs/life_of_a_job.md", "`server/core.h`, `Finish()`", "`Finish()`", "step 2"),
    ("server/core.h", "Ask", "Asked", "step 1: 'Core::Ask' is in none"),
]


class DocsTest(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text(text)
            return check_docs.check_tree(root)

    def test_a_sound_tree_has_no_problem(self):
        self.assertEqual(self.problems(CLEAN), [])

    def test_everything_broken_is_reported(self):
        for name, old, new, want in BROKEN:
            with self.subTest(name=name, new=new):
                self.assertIn(old, CLEAN[name])
                problems = self.problems({**CLEAN, name: CLEAN[name].replace(old, new)})
                self.assertTrue(problems)
                self.assertIn(want, problems[0])


if __name__ == "__main__":
    unittest.main()
