"""A lawful client: Python's urllib."""
import base64, json, os, urllib.parse, urllib.request

password = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"


def ask(method, path, session="", body=None):
    credentials = base64.b64encode(f"{os.environ['REFSERVER_APP_TOKEN']}:{session}".encode()).decode()
    headers = {"User-Agent": "feedscript/1.0", "Accept": "application/json", "Authorization": "Basic " + credentials}
    data = None
    if body is not None:
        headers["Content-Type"], data = "application/json", json.dumps(body).encode()
    request = urllib.request.Request(os.environ["REFSERVER_URL"] + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        text = answer.read()
        return json.loads(text) if text else None


ada = ask("POST", "/0.2/users?withLogin=true", body={"user_name": "ada", "password": password, "email": "ada@example.com"})
session = ada["session_token"]
bob = ask("POST", "/0.2/users", body={"user_name": "bob", "password": password, "email": "bob@example.com"})
ask("POST", "/0.2/user/connections", session, {"user_to_id": bob["id"], "type": "follow"})
ask("GET", "/0.2/users/" + urllib.parse.quote(str(bob["id"]), safe=""), session)
ask("GET", "/0.2/users/search?" + urllib.parse.urlencode({"q": "café & bar"}), session)
ask("GET", "/0.2/user/feed", session)
ask("DELETE", "/0.2/user", session)
