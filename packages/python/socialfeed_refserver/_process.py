"""The refserver program: where it is, how it starts, and how it ends."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from typing import Dict, List, Optional, Tuple

from ._control import RefserverError

START_TIME = 30.0  # seconds until the server must have said where it is
STOP_TIME = 10.0  # seconds until it must have ended after its input has


def find_binary(given: Optional[str]) -> str:
    """Returns the path of the program: the one that is given, of REFSERVER_BINARY, or of the package."""
    chosen = given or os.environ.get("REFSERVER_BINARY")
    if chosen:
        return chosen
    name = "refserver.exe" if os.name == "nt" else "refserver"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if not os.path.exists(path):
        raise RefserverError(f"{path} is missing: install the wheel of this platform, or name a program by REFSERVER_BINARY")
    return path


class Process:
    """A running program. It ends with its standard input, so also where this process is killed."""

    def __init__(self, binary: str, args: List[str], env: Dict[str, str]) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            self._child = subprocess.Popen(
                [binary, *args, "--print", "json", "--stop-with-stdin"],
                env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        except OSError as cause:
            self._errors.close()
            raise RefserverError(f"starting refserver: {cause}") from cause
        self.pid = self._child.pid
        try:
            self.service = self._greeting()
        except BaseException:
            self._child.kill()
            self.stop()
            raise

    def _greeting(self) -> Dict[str, str]:
        assert self._child.stdout is not None
        lines: "queue.Queue[bytes]" = queue.Queue()
        threading.Thread(target=lambda out: lines.put(out.readline()), args=(self._child.stdout,), daemon=True).start()
        try:
            line = lines.get(timeout=START_TIME)
        except queue.Empty:
            raise RefserverError(f"starting refserver: it was not ready after {START_TIME:.0f} s") from None
        if not line:
            code = self._child.wait(STOP_TIME)
            raise RefserverError(f"starting refserver: it ended with {code}: {self.errors().strip()}")
        service: Dict[str, str] = json.loads(line)
        return service

    def errors(self) -> str:
        """What the program has written to stderr."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def stop(self) -> Tuple[int, str]:
        """Ends the program, and returns its exit code and what it wrote to stderr once it is gone."""
        if self._errors.closed:
            return self._child.returncode, ""
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.close()
        try:
            self._child.wait(STOP_TIME)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._child.stdout.close()
        said = self.errors()
        self._errors.close()
        return self._child.returncode, said
