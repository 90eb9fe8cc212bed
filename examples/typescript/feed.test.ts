// A client's tests against the local fake, with vitest:
//
//   npm install
//   refserver exec --worlds test- -- npm test
import { test } from "vitest";

import { World } from "./fake.js";

test.concurrent("a follower sees an event", async ({ expect }) => {
  const world = new World();
  const ada = await world.join("ada");
  const grace = await world.join("grace");
  await ada.follow(grace);
  const { body: event } = await grace.post("like");
  const { body: feed } = await ada.feed();
  expect(feed.map((e) => e.id)).toEqual([event.id]);
});

test.concurrent("the feed is refused after two reads", async ({ expect }) => {
  const world = new World();
  const ada = await world.join("ada");
  await world.weather("429,on=21,after=2");
  const statuses = [await ada.feed(), await ada.feed(), await ada.feed()].map((answer) => answer.status);
  expect(statuses).toEqual([200, 200, 429]);
});

test.concurrent("a feed that lags shows the event later", async ({ expect }) => {
  const world = new World();
  const ada = await world.join("ada");
  const grace = await world.join("grace");
  await ada.follow(grace);
  await world.choose({ lag: "1h" });
  await grace.post("like");
  expect((await ada.feed()).body).toEqual([]);
  await world.advance("1h");
  expect((await ada.feed()).body.map((e) => e.verb)).toEqual(["like"]);
});
