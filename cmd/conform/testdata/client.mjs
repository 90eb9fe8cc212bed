// A lawful client: Node's fetch.
const password = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

async function ask(method, path, session = "", body) {
  const headers = {
    "User-Agent": "feedscript/1.0",
    Accept: "application/json",
    Authorization: "Basic " + Buffer.from(`${process.env.REFSERVER_APP_TOKEN}:${session}`).toString("base64"),
  };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(process.env.REFSERVER_URL + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

const ada = await ask("POST", "/0.2/users?withLogin=true", "", { user_name: "ada", password, email: "ada@example.com" });
const bob = await ask("POST", "/0.2/users", "", { user_name: "bob", password, email: "bob@example.com" });
await ask("POST", "/0.2/user/connections", ada.session_token, { user_to_id: bob.id, type: "follow" });
await Promise.all(["", "/follows", "/feed"].map((list) => ask("GET", `/0.2/user${list}`, ada.session_token)));
await ask("GET", `/0.2/users/search?q=${encodeURIComponent("café & bar")}`, ada.session_token);
await ask("DELETE", "/0.2/user/logout", ada.session_token);
