// Tests of a client with node:assert. A line that ends with "assert NAME" is an assertion.
import assert from "node:assert/strict";

async function send(method, path, session, body) {
  const headers = { "User-Agent": "checks/1.0", Accept: "application/json", Authorization: "Basic " + btoa(`${process.env.REFSERVER_APP_TOKEN}:${session}`) };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(process.env.REFSERVER_URL + path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : undefined };
}

const ada = (await send("POST", "/0.2/users?withLogin=true", "", { user_name: "ada", password: "p-1" })).body;
const bob = (await send("POST", "/0.2/users?withLogin=true", "", { user_name: "bob", password: "p-2" })).body;
await send("POST", "/0.2/user/connections", ada.session_token, { user_to_id: String(bob.id), type: "follow" });
for (const verb of ["liked", "shared", "left"]) await send("POST", "/0.2/user/events", bob.session_token, { verb });
const feed = (await send("GET", "/0.2/user/feed", ada.session_token)).body;
const found = (await send("GET", "/0.2/users/search?q=BOB", ada.session_token)).body;
await send("DELETE", "/0.2/user", bob.session_token);
const purged = (await send("GET", "/0.2/user/feed", ada.session_token)).body;
await send("DELETE", "/0.2/user/logout", ada.session_token);
const after = await send("GET", "/0.2/user", ada.session_token);

assert.equal(ada.enabled, true); // assert enabled
assert.equal(feed.length, 3); // assert feed
assert.deepEqual(feed.map((event) => event.verb), ["left", "shared", "liked"]); // assert order
assert.equal(found.length, 1); // assert search
assert.equal(purged.length, 0); // assert purge
assert.equal(after.status, 401); // assert logout
