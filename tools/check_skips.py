#!/usr/bin/env python3
"""Fails when the output of ctest names a skipped test that tools/allowed_skips does not list."""

import argparse
import pathlib
import re
import sys

SKIPPED = re.compile(r"Test +#\d+: (\S+) \.*\*\*\*Skipped")


def parse_allowed(text):
    """[(pattern, reason)]; raises ValueError for a line without a reason."""
    allowed = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        pattern, separator, reason = line.partition(" # ")
        if not separator or not reason.strip():
            raise ValueError(f"line {number}: '{line}' gives no reason")
        allowed.append((re.compile(pattern.strip()), reason.strip()))
    return allowed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--allow-all", action="store_true", help="name the skipped tests, but do not fail")
    parser.add_argument("--allowed", type=pathlib.Path, default=pathlib.Path(__file__).parent / "allowed_skips")
    parser.add_argument("log", type=pathlib.Path)
    arguments = parser.parse_args()

    allowed = parse_allowed(arguments.allowed.read_text())
    unexpected = False
    for name in sorted(set(SKIPPED.findall(arguments.log.read_text(errors="replace")))):
        reason = next((why for pattern, why in allowed if pattern.fullmatch(name)), None)
        print(f"skipped: {name}: {reason or 'not in tools/allowed_skips'}")
        unexpected = unexpected or reason is None
    return 1 if unexpected and not arguments.allow_all else 0


if __name__ == "__main__":
    sys.exit(main())
