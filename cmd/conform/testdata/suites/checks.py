"""Tests of a client with unittest. A line that ends with "assert NAME" is an assertion."""

import base64
import json
import os
import unittest
import urllib.error
import urllib.request


def send(method, path, session, body=None):
    credentials = base64.b64encode(f"{os.environ['REFSERVER_APP_TOKEN']}:{session}".encode()).decode()
    request = urllib.request.Request(os.environ["REFSERVER_URL"] + path, method=method, headers={
        "User-Agent": "checks/1.0", "Accept": "application/json", "Authorization": "Basic " + credentials})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or "null")
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.loads(refusal.read() or "null")


class Checks(unittest.TestCase):
    def test_life(self):
        _, ada = send("POST", "/0.2/users?withLogin=true", "", {"user_name": "ada", "password": "p-1"})
        _, bob = send("POST", "/0.2/users?withLogin=true", "", {"user_name": "bob", "password": "p-2"})
        send("POST", "/0.2/user/connections", ada["session_token"], {"user_to_id": str(bob["id"]), "type": "follow"})
        for verb in ["liked", "shared", "left"]:
            send("POST", "/0.2/user/events", bob["session_token"], {"verb": verb})
        _, feed = send("GET", "/0.2/user/feed", ada["session_token"])
        _, found = send("GET", "/0.2/users/search?q=BOB", ada["session_token"])
        send("DELETE", "/0.2/user", bob["session_token"])
        _, purged = send("GET", "/0.2/user/feed", ada["session_token"])
        send("DELETE", "/0.2/user/logout", ada["session_token"])
        after, _ = send("GET", "/0.2/user", ada["session_token"])

        self.assertTrue(ada.get("enabled"))  # assert enabled
        self.assertEqual(len(feed), 3)  # assert feed
        self.assertEqual([event["verb"] for event in feed], ["left", "shared", "liked"])  # assert order
        self.assertEqual(len(found), 1)  # assert search
        self.assertEqual(len(purged), 0)  # assert purge
        self.assertEqual(after, 401)  # assert logout


unittest.main(argv=["checks"])
