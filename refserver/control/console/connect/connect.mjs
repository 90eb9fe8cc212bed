// Node trusts the CA by NODE_EXTRA_CA_CERTS, which is among the variables.
const { REFSERVER_URL, REFSERVER_APP_TOKEN } = process.env;
const answer = await fetch(`${REFSERVER_URL}/0.2/users?withLogin=true`, {
  method: "POST",
  headers: {
    Authorization: "Basic " + Buffer.from(`${REFSERVER_APP_TOKEN}:`).toString("base64"),
    Accept: "application/json",
    "Content-Type": "application/json",
    "User-Agent": "my-client/1.0",
  },
  body: JSON.stringify({ user_name: "joe", password: "5f4dcc3b5aa765d61d8327deb882cf99", email: "joe@example.com" }),
});
console.log(answer.status, await answer.text());
