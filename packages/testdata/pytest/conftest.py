import pytest


@pytest.fixture(scope="session")
def fake_options():
    return {"seed": "demo:users=7,events=10"}
