"""A client's tests, each in a world of its own of the fake that REFSERVER_URL names."""

import base64
import hashlib
import json
import os
import time
import unittest
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("REFSERVER_URL", "")


def call(method, url, body=None, headers=None):
    """Sends JSON and returns the status and the decoded answer."""
    request = urllib.request.Request(url, method=method, headers={
        "User-Agent": "feed-tests/1.0", "Accept": "application/json", **(headers or {})})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.loads(answer.read() or "null")
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.loads(refusal.read() or "null")


class World:
    """An isolated world of the fake."""

    def __init__(self):
        self.token = "test-" + uuid.uuid4().hex
        self.control("PUT", "/weather", [])  # but for the weather that a test makes

    def call(self, session, method, path, body=None):
        credentials = base64.b64encode(f"{self.token}:{session}".encode()).decode()
        return call(method, URL + path, body, {"Authorization": "Basic " + credentials})

    def join(self, name):
        status, user = self.call("", "POST", "/0.2/users?withLogin=true", {
            "user_name": name, "email": name + "@example.com",
            "password": hashlib.sha256(b"what was typed").hexdigest()})
        assert status == 201, status
        return user

    def control(self, method, path, body):
        """Changes this world, by its name: the token without the prefix."""
        name = self.token.removeprefix("test-")
        url = f"{os.environ['REFSERVER_CONTROL_URL']}/v1/worlds/{name}{path}"
        status, _ = call(method, url, body, {"Authorization": "Bearer " + os.environ["REFSERVER_CONTROL_TOKEN"]})
        assert status == 200, status


class FeedTest(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.ada, self.grace = self.world.join("ada"), self.world.join("grace")
        status, _ = self.world.call(self.ada["session_token"], "POST", "/0.2/user/connections",
                                    {"user_to_id": str(self.grace["id"]), "type": "follow"})
        self.assertEqual(201, status)

    def feed(self):
        return self.world.call(self.ada["session_token"], "GET", "/0.2/user/feed")

    def post(self):
        status, event = self.world.call(self.grace["session_token"], "POST", "/0.2/user/events", {"verb": "like"})
        self.assertEqual(201, status)
        return event

    def test_follower_sees_event(self):
        event, deadline = self.post(), time.monotonic() + 10
        while not self.feed()[1] and time.monotonic() < deadline:  # a feed may lag
            time.sleep(0.1)
        self.assertEqual((200, [event["id"]]), (self.feed()[0], [e["id"] for e in self.feed()[1]]))

    def test_service_unavailable_once(self):
        self.world.control("PUT", "/weather", ["503,on=21,nth=1"])
        self.assertEqual([503, 200], [self.feed()[0], self.feed()[0]])

    def test_feed_that_lags(self):
        self.world.control("PATCH", "", {"choose": {"lag": "10m"}})
        self.post()
        self.assertEqual([], self.feed()[1])
        self.world.control("POST", "/clock", {"advance": "10m"})
        self.assertEqual(1, len(self.feed()[1]))


if __name__ == "__main__":
    unittest.main()
