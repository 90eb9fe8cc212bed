"""Fixtures of pytest: fake, and what it is made of."""

from __future__ import annotations

from typing import Any, Dict, Iterator

import pytest

from ._fake import Fake, create_fake


@pytest.fixture(scope="session")
def fake_options() -> Dict[str, Any]:
    """The arguments of create_fake for the server of the session; override it in your conftest.py."""
    return {}


@pytest.fixture(scope="session")
def fake_server(fake_options: Dict[str, Any]) -> Iterator[Fake]:
    """One server for the whole session, as the tests before have left it."""
    with create_fake(**fake_options) as server:
        yield server


@pytest.fixture
def fake(fake_server: Fake) -> Fake:
    """The server as it was at the start: for each test its data, weather, clock and journal begin anew."""
    fake_server.reset()
    return fake_server
