// A client's tests against the local fake, with vitest. In this folder, after make packages:
//
//   npm install
//   npm install --no-save ../../dist/*.tgz
//   npm test
import { createFake, type Fake } from "@socialfeed/refserver";
import { afterAll, beforeAll, test } from "vitest";

import { User } from "./user.js";

// Tests that run at the same time have a world each.
let fake: Fake;
beforeAll(async () => {
  fake = await createFake();
});
afterAll(() => fake.close());

test.concurrent("a follower sees an event", async ({ expect }) => {
  const world = await fake.openWorld();
  const ada = await User.join(world, "ada");
  const grace = await User.join(world, "grace");
  await ada.follow(grace);
  const { body: event } = await grace.post("like");
  const { body: feed } = await ada.feed();
  expect(feed.map((e) => e.id)).toEqual([event.id]);
});

test.concurrent("the feed is refused after two reads", async ({ expect }) => {
  const world = await fake.openWorld({ weather: ["429,on=21,after=2"] });
  const ada = await User.join(world, "ada");
  for (let i = 0; i < 3; i++) await ada.feed();
  const reads = await world.journal.waitFor({ endpoint: 21 }, { count: 3 });
  expect(reads.map((read) => read.status)).toEqual([200, 200, 429]);
});

test.concurrent("a feed that lags shows the event later", async ({ expect }) => {
  const world = await fake.openWorld();
  const ada = await User.join(world, "ada");
  const grace = await User.join(world, "grace");
  await ada.follow(grace);
  await world.change({ choose: { lag: "1h" } });
  await grace.post("like");
  expect((await ada.feed()).body).toEqual([]);
  await world.clock.advance("1h");
  expect((await ada.feed()).body.map((e) => e.verb)).toEqual(["like"]);
});
