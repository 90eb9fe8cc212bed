// A fake for each worker, as a fixture.
import { createFake } from "@socialfeed/refserver";
import { expect, test as base } from "@playwright/test";

const test = base.extend({
  fake: [async ({}, use) => {
    const fake = await createFake();
    await use(fake);
    await fake.close();
  }, { scope: "worker" }],
});

test("weather reaches a request", async ({ fake, request }) => {
  await fake.weather("503,on=GET");
  expect((await request.get(fake.url + "/0.2/user/feed")).status()).toBe(503);
  expect(await fake.journal.waitFor({ status: 503 })).toHaveLength(1);
});
