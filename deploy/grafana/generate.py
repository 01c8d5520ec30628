#!/usr/bin/env python3
"""Writes dashboards/*.json from boards/*.py, so that every panel looks and matches alike."""

import json
import pathlib
import sys

from boards import compile_suite, overview, wake

FOLDER = pathlib.Path(__file__).parent / "dashboards"


def files():
    """File name -> text, for every dashboard."""
    boards = [module.board() for module in (overview, wake, compile_suite)]
    return {f"{board['uid']}.json": json.dumps(board, indent=2, ensure_ascii=False) + "\n" for board in boards}


def main():
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
