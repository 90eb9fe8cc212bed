import base64, json, os, ssl, urllib.request

token = os.environ["REFSERVER_APP_TOKEN"]
request = urllib.request.Request(
    os.environ["REFSERVER_URL"] + "/0.2/users?withLogin=true",
    data=json.dumps({"user_name": "pia", "password": "5f4dcc3b5aa765d61d8327deb882cf99", "email": "pia@example.com"}).encode(),
    headers={"Authorization": "Basic " + base64.b64encode((token + ":").encode()).decode(), "Accept": "application/json",
             "Content-Type": "application/json", "User-Agent": "my-client/1.0"})
trusted = ssl.create_default_context(cafile=os.environ.get("REFSERVER_CA_FILE"))
with urllib.request.urlopen(request, context=trusted) as answer:
    print(answer.status, answer.read().decode())
