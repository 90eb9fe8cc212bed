"""Runs the refserver program that comes with the package."""

from __future__ import annotations

import os
import subprocess
import sys

from ._process import find_binary


def main() -> int:
    command = [find_binary(None), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main())
