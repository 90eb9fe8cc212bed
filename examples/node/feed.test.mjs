// A client's tests against the local fake. Run them beside it:
//
//   refserver exec --worlds test- -- node --test examples/node/
//
// Each test has a world of its own, so they need no reset. vitest runs them as
// well, with its own test function instead of node:test's.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";

const { REFSERVER_URL, REFSERVER_CONTROL_URL, REFSERVER_CONTROL_TOKEN } = process.env;
const options = { skip: REFSERVER_URL ? false : "run it by: refserver exec --worlds test- -- node --test examples/node/" };

async function call(method, url, authorization, body) {
  const headers = { Authorization: authorization, Accept: "application/json", "User-Agent": "feed-tests/1.0" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

// world is an isolated world of the fake.
function world() {
  const name = randomUUID();
  const basic = (session) => "Basic " + Buffer.from(`test-${name}:${session}`).toString("base64");
  return {
    as: (session) => (method, path, body) => call(method, REFSERVER_URL + path, basic(session), body),
    control: (method, path, body) => call(method, `${REFSERVER_CONTROL_URL}/v1/worlds/${name}${path}`, `Bearer ${REFSERVER_CONTROL_TOKEN}`, body),
  };
}

async function join(w, user_name) {
  const password = createHash("sha256").update("what was typed").digest("hex");
  const { status, body } = await w.as("")("POST", "/0.2/users?withLogin=true", { user_name, password, email: `${user_name}@example.com` });
  assert.equal(status, 201);
  return { id: body.id, send: w.as(body.session_token) };
}

test("a follower sees an event", options, async () => {
  const w = world();
  const [ada, grace] = [await join(w, "ada"), await join(w, "grace")];
  await ada.send("POST", "/0.2/user/connections", { user_to_id: String(grace.id), type: "follow" });
  const event = await grace.send("POST", "/0.2/user/events", { verb: "like" });
  const feed = await ada.send("GET", "/0.2/user/feed");
  assert.deepEqual(feed.body.map((e) => e.id), [event.body.id]);
});

test("the third post fails", options, async () => {
  const w = world();
  const ada = await join(w, "ada");
  await w.control("PUT", "/weather", ["500,on=18,nth=3"]);
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await ada.send("POST", "/0.2/user/events", { verb: "like" })).status);
  assert.deepEqual(statuses, [201, 201, 500, 201]);
});

test("the session ends", options, async () => {
  const w = world();
  const ada = await join(w, "ada");
  await w.control("PATCH", "", { choose: { "session-lifetime": "10s" } });
  assert.equal((await ada.send("GET", "/0.2/user")).status, 200);
  await w.control("POST", "/clock", { advance: "10s" });
  assert.equal((await ada.send("GET", "/0.2/user")).status, 401);
});
