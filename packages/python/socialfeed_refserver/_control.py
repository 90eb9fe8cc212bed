"""The calls of the control plane."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, TypedDict, Union

ANSWER_TIME = 90.0  # seconds; a call waits for a minute at most


class RefserverError(Exception):
    """The server could not start, refused a call, or did not see what was waited for."""


class Why(TypedDict, total=False):
    """Why a request was refused."""

    stage: str
    reason: str
    code: int


class Entry(TypedDict, total=False):
    """A request and its answer, with tokens and passwords hidden."""

    seq: int
    world: str
    at: str  # by the machine's clock, RFC 3339
    duration_ms: float
    method: str
    path: str  # with the query
    endpoint: int  # of the contract; absent for a path that it does not have
    status: int  # 0 where the client was gone before an answer
    app: str
    session: str  # such as session:ada#1
    why: Why
    weather: str  # the rules that acted
    headers: Dict[str, str]
    request: Any  # the decoded body, or its size as a text where it is not JSON or too long
    answer: Any


class Holds(TypedDict):
    users: int
    sessions: int
    connections: int
    events: int


class WorldView(TypedDict, total=False):
    """What is set in a world, and how much it holds."""

    name: str
    dialect: str
    choose: Dict[str, str]
    faults: List[str]
    weather: List[str]
    now: str
    frozen: bool
    holds: Holds


class Control:
    """Sends calls to the control plane of one server."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        # Tests may set a proxy, which is not for the server on this machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(self, method: str, path: str, body: Any = None, query: Optional[Mapping[str, Any]] = None) -> Any:
        """Returns the decoded answer, None where it is empty. A text is sent as it is, anything else as JSON."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
        request = urllib.request.Request(url, data, {"Authorization": "Bearer " + self._token}, method=method)
        try:
            with self._opener.open(request, timeout=ANSWER_TIME) as answer:
                received = answer.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise RefserverError(f"{method} {path}: {refusal.code} {_reason(refusal.read())}") from None
        except OSError as cause:
            raise RefserverError(f"{method} {path}: {cause}") from cause
        return json.loads(received) if received else None


def _reason(received: bytes) -> str:
    try:
        return str(json.loads(received)["error"])
    except (ValueError, KeyError, TypeError):
        return received.decode(errors="replace")


class Journal:
    """What one world was asked and what it answered, without secrets.

    A filter names what all the requests that are meant have: ``endpoint`` by its number in the contract,
    ``method`` in capitals, ``status`` such as 404 or "5xx", ``session`` such as "session:ada#1", and
    ``since``, the number of an entry that they come after.
    """

    def __init__(self, control: Control, world: str) -> None:
        self._control, self._world = control, world

    def entries(self, *, endpoint: Optional[int] = None, method: Optional[str] = None, status: Union[int, str, None] = None,
                session: Optional[str] = None, since: Optional[int] = None) -> List[Entry]:
        """Returns the requests that are meant, oldest first. The server keeps the last 1,000 of all."""
        return self._read({"endpoint": endpoint, "method": method, "status": status, "session": session, "since": since})

    def wait_for(self, *, endpoint: Optional[int] = None, method: Optional[str] = None, status: Union[int, str, None] = None,
                 session: Optional[str] = None, since: Optional[int] = None, count: int = 1, timeout: str = "5s") -> List[Entry]:
        """Waits until there are so many such requests, those before the call included, for "1m" at most."""
        wanted = {"endpoint": endpoint, "method": method, "status": status, "session": session, "since": since}
        found = self._read({**wanted, "count": count, "wait": timeout})
        if len(found) >= count:
            return found
        named = ", ".join(f"{name}={value!r}" for name, value in wanted.items() if value is not None)
        lines = "".join(f"\n  {e['method']} {e['path']} {e['status']}" for e in self.entries()[-10:])
        raise RefserverError(f"{len(found)} of {count} requests with {named or 'anything'} came within {timeout}; "
                             f"the last of all:{lines or ' none'}")

    def clear(self) -> None:
        self._control.call("DELETE", "/v1/journal", query={"world": self._world})

    def _read(self, query: Mapping[str, Any]) -> List[Entry]:
        entries: List[Entry] = self._control.call("GET", "/v1/journal", query={**query, "world": self._world})["entries"]
        return entries


class Clock:
    """The time of a world: sessions, rate limits, lag and weather follow it. It never goes back."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def now(self) -> datetime:
        text = self._world.view()["now"]  # up to nanoseconds, which datetime cannot have
        whole, _, rest = text.rstrip("Z").partition(".")
        return datetime.fromisoformat(f"{whole}.{rest[:6]:0<6}+00:00")

    def advance(self, duration: str) -> None:
        """Moves the time forward, by "10m" for example, whether it runs or stands still."""
        self._world.call("POST", "/clock", {"advance": duration})

    def freeze(self, at: Optional[datetime] = None) -> None:
        """Stops the clock, at a time that is not before its own; by default now."""
        move: Dict[str, Any] = {"freeze": True}
        if at is not None:
            move["at"] = at.astimezone().isoformat()
        self._world.call("POST", "/clock", move)

    def run(self) -> None:
        self._world.call("POST", "/clock", {"run": True})


class World:
    """An isolated state of the server: its own users, clock, weather and journal, reached by a token of its own."""

    def __init__(self, control: Control, name: str, url: str, token: str) -> None:
        self._control = control
        self.name, self.url, self.token = name, url, token
        self.clock = Clock(self)
        self.journal = Journal(control, name)

    def view(self) -> WorldView:
        view: WorldView = self.call("GET", "")
        return view

    def weather(self, *rules: str) -> None:
        """Replaces the weather, such as "429,after=5"; without rules the sky is clear."""
        self.call("PUT", "/weather", list(rules))

    def change(self, *, dialect: Optional[str] = None, choose: Optional[Mapping[str, str]] = None,
               faults: Optional[List[str]] = None, weather: Optional[List[str]] = None) -> None:
        """Sets what is named, each as a whole; users, sessions and events stay."""
        settings = {"dialect": dialect, "choose": choose, "faults": faults, "weather": weather}
        self.call("PATCH", "", {name: value for name, value in settings.items() if value is not None})

    def seed(self, text: str) -> None:
        """Replaces what the world holds: "demo:users=50,events=1000", or users as YAML."""
        self.call("POST", "/seed", text)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a call of the control plane that concerns this world."""
        return self._control.call(method, f"/v1/worlds/{urllib.parse.quote(self.name, safe='')}{path}", body)
