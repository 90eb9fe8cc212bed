// What the package promises beside what its users' tests need.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { createRequire } from "node:module";
import { test } from "node:test";

import { createFake } from "@socialfeed/refserver";

const alive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("the process is gone after close, also where it was closed before", async () => {
  const fake = await createFake();
  assert.ok(alive(fake.pid));
  await Promise.all([fake.close(), fake.close()]);
  assert.ok(!alive(fake.pid));
  await fake.close();
});

test("HTTPS is served by a certificate of the authority", async () => {
  const fake = await createFake({ tls: true });
  try {
    const status = await new Promise((resolve, reject) =>
      get(fake.url + "/versions", { ca: fake.ca, agent: false, headers: { "User-Agent": "tests/1" } }, (answer) => resolve(answer.resume().statusCode)).on("error", reject));
    assert.equal(status, 200);
    assert.equal(readFileSync(fake.caFile, "utf8"), fake.ca);
  } finally {
    await fake.close();
  }
});

test("no token stands on the command line", { skip: process.platform === "linux" ? false : "there is no /proc" }, async () => {
  const fake = await createFake({ seed: "demo" });
  const line = readFileSync(`/proc/${fake.pid}/cmdline`, "utf8");
  assert.match(line, /--seed=demo/);
  for (const token of [fake.token, fake.secondToken, fake.controlToken]) assert.ok(!line.includes(token));
  await fake.close();
});

test("mistakes say what is wrong", async () => {
  await assert.rejects(createFake({ dialect: "klingon" }), /no dialect "klingon"/);
  await assert.rejects(createFake({ binary: "/nowhere/refserver" }), /starting refserver: .*ENOENT/);
  const fake = await createFake();
  await assert.rejects(fake.weather("rain"), /400 weather "rain"/);
  await assert.rejects(fake.journal.waitFor({ endpoint: 18 }, { count: 2, timeout: "100ms" }), /0 of 2 requests like {"endpoint":18} came within 100ms/);
  await assert.rejects(fake.journal.entries({ endpiont: 18 }), /endpiont/);
  await fake.close();
});

test("settings, seeds and the clock reach the server; a reset takes all back", async () => {
  const fake = await createFake({ clock: "2040-01-31T12:00:00Z", seed: "users: [{user_name: ada}]", choose: { lag: "1h" }, weather: ["500"], args: ["--max-memory", "1GiB"] });
  const { now, ...begun } = await fake.view();
  assert.deepEqual(begun, { name: "default", dialect: "default", choose: { lag: "1h" }, weather: ["500"], frozen: true, holds: { users: 1, sessions: 0, connections: 0, events: 0 } });
  await fake.clock.advance("1h");
  await fake.clock.freeze(new Date("2040-02-01T12:00:00Z"));
  assert.equal((await fake.clock.now()).toISOString(), "2040-02-01T12:00:00.000Z");
  await fake.clock.run();
  await fake.seed("demo:users=5,events=10");
  await fake.weather();
  await fake.change({ dialect: "uuid-ids", faults: [] });
  assert.equal((await fake.view()).holds.users, 5);
  await fake.reset();
  const { now: again, ...back } = await fake.view();
  assert.deepEqual(back, begun);
  assert.equal(again, now);
  assert.ok(Array.isArray((await fake.control("GET", "/v1/faults")).faults));
  assert.equal(typeof createRequire(import.meta.url)("@socialfeed/refserver").createFake, "function");
  await fake.close();
});
