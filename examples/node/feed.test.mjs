// A client's tests against the local fake, with node:test. In this folder, after make packages:
//
//   npm install --no-save ../../dist/*.tgz
//   node --test
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";

import { createFake } from "@socialfeed/refserver";

let fake;
before(async () => { fake = await createFake(); });
beforeEach(() => fake.reset());
after(() => fake.close());

// join creates a user of a world and returns a client that sends as this user.
async function join(world, user_name) {
  const as = (session) => async (method, path, body) => {
    const headers = { Authorization: "Basic " + Buffer.from(`${world.token}:${session}`).toString("base64"), Accept: "application/json", "User-Agent": "feed-tests/1.0" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await fetch(world.url + path, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const password = createHash("sha256").update("what was typed").digest("hex");
  const { status, body } = await as("")("POST", "/0.2/users?withLogin=true", { user_name, password, email: `${user_name}@example.com` });
  assert.equal(status, 201);
  return { id: String(body.id), send: as(body.session_token) };
}

test("a follower sees an event", async () => {
  const [ada, grace] = [await join(fake, "ada"), await join(fake, "grace")];
  await ada.send("POST", "/0.2/user/connections", { user_to_id: grace.id, type: "follow" });
  const event = await grace.send("POST", "/0.2/user/events", { verb: "like" });
  const feed = await ada.send("GET", "/0.2/user/feed");
  assert.deepEqual(feed.body.map((e) => e.id), [event.body.id]);
});

test("the third post fails", async () => {
  const ada = await join(fake, "ada");
  await fake.weather("500,on=18,nth=3");
  for (let i = 0; i < 4; i++) await ada.send("POST", "/0.2/user/events", { verb: "like" });
  const posts = await fake.journal.waitFor({ endpoint: 18 }, { count: 4 });
  assert.deepEqual(posts.map((post) => post.status), [201, 201, 500, 201]);
});

test("the session ends", async () => {
  const ada = await join(fake, "ada");
  await fake.change({ choose: { "session-lifetime": "10s" } });
  assert.equal((await ada.send("GET", "/0.2/user")).status, 200);
  await fake.clock.advance("10s");
  assert.equal((await ada.send("GET", "/0.2/user")).status, 401);
});

test("two applications, and two worlds, know nothing of each other", async () => {
  await join(fake, "ada");
  await join({ url: fake.url, token: fake.secondToken }, "ada");
  await join(await fake.openWorld({ dialect: "uuid-ids" }), "ada");
  assert.equal((await fake.view()).holds.users, 2);
});
