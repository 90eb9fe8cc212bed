"""The fake: a server of its own, for as long as the tests need it."""

from __future__ import annotations

import os
import secrets
import sys
from datetime import datetime
from typing import Any, List, Mapping, Optional, Sequence, Union

from ._control import Control, World
from ._process import Process, find_binary


class Fake(World):
    """A running server; what it has of a world is that of its first one. As a context manager it closes itself."""

    def __init__(self, process: Process, token: str, second_token: str, control_token: str) -> None:
        service = process.service
        super().__init__(Control(service["control_url"], control_token), "default", service["base_url"], token)
        self._process = process
        self.second_token = second_token
        self.ca_file: Optional[str] = service.get("ca_file")
        """A file with the authority to trust, which the server removes when it ends. None for plain HTTP."""
        self.control_url, self.control_token = service["control_url"], control_token
        self.console_url = f"{self.control_url}/#token={control_token}"
        self.pid = process.pid

    @property
    def ca(self) -> Optional[str]:
        """The authority to trust, as PEM. None for plain HTTP."""
        if self.ca_file is None:
            return None
        with open(self.ca_file, encoding="ascii") as file:
            return file.read()

    def open_world(self, *, name: str = "", seed: str = "", dialect: str = "", choose: Optional[Mapping[str, str]] = None,
                   faults: Sequence[str] = (), weather: Sequence[str] = (), clock: Optional[str] = None) -> World:
        """Opens a further world, so that tests of one server run side by side."""
        settings = {"name": name, "seed": seed, "dialect": dialect, "choose": choose, "faults": list(faults),
                    "weather": list(weather), "clock": clock}
        opened = self.control("POST", "/v1/worlds", {key: value for key, value in settings.items() if value})
        return World(self._control, opened["name"], self.url, opened["app_token"])

    def reset(self) -> None:
        """Takes the first world back to what it began with; sessions end, its journal is empty."""
        self.call("DELETE", "")

    def control(self, method: str, path: str, body: Any = None, query: Optional[Mapping[str, Any]] = None) -> Any:
        """Sends a call of the control plane, for what has no method here."""
        return self._control.call(method, path, body, query)

    def close(self) -> None:
        """Ends the server, and returns when its process is gone."""
        _, said = self._process.stop()
        sys.stderr.write(said)

    def __enter__(self) -> "Fake":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def create_fake(*, seed: Optional[str] = None, seed_file: Optional[str] = None, dialect: Optional[str] = None,
                choose: Optional[Mapping[str, str]] = None, faults: Sequence[str] = (), weather: Sequence[str] = (),
                clock: Union[datetime, str, None] = None, rate_limit: int = 0, tls: bool = False, like: Optional[str] = None,
                token: Optional[str] = None, second_token: Optional[str] = None, args: Sequence[str] = (),
                binary: Optional[str] = None) -> Fake:
    """Starts a server on a free port of this machine, and returns when it serves.

    seed is demo data ("demo:users=50,events=1000,rand=7") or YAML, seed_file a file with YAML. dialect and
    choose say what the contract leaves open, faults what is broken, weather what happens to requests
    ("429,after=5"). clock is a time at which the clock stands still. rate_limit is the number of requests a minute
    in each category, 0 for no limit. tls serves HTTPS by a certificate of its own; the default is plain HTTP. like is
    the path of a JSON report of conform. Tokens are random by default. args are further flags of the program.
    """
    control_token = secrets.token_hex(16)
    token, second_token = token or secrets.token_hex(16), second_token or secrets.token_hex(16)
    environment = {**os.environ, "REFSERVER_APP_TOKEN": token, "REFSERVER_SECOND_APP_TOKEN": second_token,
                   "REFSERVER_CONTROL_TOKEN": control_token}  # other users can read a command line
    flags: List[str] = ["--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--log", "off", f"--rate-limit={rate_limit}"]
    if not tls:
        flags.append("--http")
    at = clock.astimezone().isoformat() if isinstance(clock, datetime) else clock
    for flag, value in {"seed": seed, "seed-file": seed_file, "dialect": dialect, "like": like, "clock": at}.items():
        if value is not None:
            flags.append(f"--{flag}={value}")
    flags += [f"--choose={name}={value}" for name, value in (choose or {}).items()]
    flags += [f"--fault={name}" for name in faults]
    flags += [f"--weather={rule}" for rule in weather]
    process = Process(find_binary(binary), [*flags, *args], environment)
    return Fake(process, token, second_token, control_token)
