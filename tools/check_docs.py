#!/usr/bin/env python3
"""Keeps the documents true: links lead somewhere, paths exist, README names every folder,
and each step of docs/life_of_a_job.md names functions that its files really have.
Prints one line per problem and exits 1 when there is one."""

import pathlib
import re
import sys

from check_layers import SKIPPED_FOLDERS, text_files

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
REPOSITORY_PATH = re.compile(r"(?:\.ci|cli|cmake|common|deploy|docs|protos|server|tests|tools|worker)/[\w./*-]*")
# `Type`, `Type::Function` or `Function()`.
SYMBOL = re.compile(r"(?:\w+::)+(\w+)(?:\(\))?|(\w+)\(\)|([A-Z]\w*[a-z]\w*)")
STEP = re.compile(r"^\d+\. .*?(?=^\d+\. |^#|\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(text):
    """The names GitHub gives to the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in HEADING.findall(text)}


def check_links(root, page, text):
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (root / page).parent / name if name else root / page
        if not path.exists():
            yield f"{page}: link to '{target}': no such file"
        elif anchor and anchor not in anchors(path.read_text()):
            yield f"{page}: link to '{target}': no such heading"


def spans(text):
    return CODE_SPAN.findall(FENCE.sub("", text))


def check_paths(root, page, text):
    for span in spans(text):
        if REPOSITORY_PATH.fullmatch(span) and not any(root.glob(span.rstrip("/"))):
            yield f"{page}: names '{span}', which does not exist"


def check_folders(root):
    readme = (root / "README.md").read_text()
    for folder in sorted(path.name for path in root.iterdir() if path.is_dir()):
        if folder.startswith(".") or folder in SKIPPED_FOLDERS or not any((root / folder).rglob("*")):
            continue
        if f"`{folder}/`" not in readme:
            yield f"README.md: does not describe the folder '{folder}/'"


def check_steps(root, page):
    """Each numbered step names at least one file, and its functions are in those files."""
    text = (root / page).read_text()
    steps = STEP.findall(text)
    if not steps:
        yield f"{page}: has no numbered step"
    for step in steps:
        number, names = step.split(".")[0], spans(step)
        files = [path for name in names if REPOSITORY_PATH.fullmatch(name)
                 for path in root.glob(name) if path.is_file()]
        sources = "\n".join(path.read_text() for path in files)
        symbols = [match for match in map(SYMBOL.fullmatch, names) if match]
        if not files or not symbols:
            yield f"{page}: step {number} names no file or no function"
        for symbol in symbols:
            if not re.search(rf"\b{symbol[symbol.lastindex]}\b", sources):
                yield f"{page}: step {number}: '{symbol[0]}' is in none of the files it names"


def check_tree(root):
    problems = []
    for page in text_files(root):
        if page.endswith(".md"):
            text = (root / page).read_text()
            problems += check_links(root, page, text)
            problems += check_paths(root, page, text)
    return problems + list(check_folders(root)) + list(check_steps(root, "docs/life_of_a_job.md"))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = check_tree(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
