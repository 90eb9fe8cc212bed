"""A client's tests against the local fake, with pytest. In a virtual environment, after make packages:

    pip install pytest dist/*.whl
    pytest examples/python

The fixture fake comes with the package: one server for all tests, which begins anew for each.
"""

import base64
import hashlib
import json
import urllib.error
import urllib.request

import pytest


class User:
    """A small client, which is where yours would stand."""

    def __init__(self, fake, name):
        self.fake, self.session = fake, ""
        status, user = self.send("POST", "/0.2/users?withLogin=true", {
            "user_name": name, "email": name + "@example.com",
            "password": hashlib.sha256(b"what was typed").hexdigest()})
        assert status == 201
        self.id, self.session = str(user["id"]), user["session_token"]

    def send(self, method, path, body=None):
        """Sends JSON and returns the status and the decoded answer."""
        credentials = base64.b64encode(f"{self.fake.token}:{self.session}".encode()).decode()
        request = urllib.request.Request(self.fake.url + path, method=method, headers={
            "User-Agent": "feed-tests/1.0", "Accept": "application/json", "Authorization": "Basic " + credentials})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.loads(refusal.read() or "null")

    def feed(self):
        return self.send("GET", "/0.2/user/feed")


@pytest.fixture
def users(fake):
    ada, grace = User(fake, "ada"), User(fake, "grace")
    status, _ = ada.send("POST", "/0.2/user/connections", {"user_to_id": grace.id, "type": "follow"})
    assert status == 201
    return ada, grace


def test_follower_sees_event(users):
    ada, grace = users
    _, event = grace.send("POST", "/0.2/user/events", {"verb": "like"})
    assert [e["id"] for e in ada.feed()[1]] == [event["id"]]


def test_service_unavailable_once(fake, users):
    ada, _ = users
    fake.weather("503,on=21,nth=1")
    ada.feed(), ada.feed()
    reads = fake.journal.wait_for(endpoint=21, count=2)
    assert [(read["status"], read["session"]) for read in reads] == [(503, "session:ada#1"), (200, "session:ada#1")]


def test_feed_that_lags(fake, users):
    ada, grace = users
    fake.change(choose={"lag": "10m"})
    grace.send("POST", "/0.2/user/events", {"verb": "like"})
    assert ada.feed() == (200, [])
    fake.clock.advance("10m")
    assert len(ada.feed()[1]) == 1
