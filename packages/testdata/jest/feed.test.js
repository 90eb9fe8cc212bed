const { createFake } = require("@socialfeed/refserver");

let fake;
beforeAll(async () => { fake = await createFake(); });
afterAll(() => fake.close());

test("a request reaches the journal", async () => {
  await fake.weather("503,retry-after=3s,on=GET");
  const answer = await fetch(fake.url + "/0.2/user/feed", { headers: { "User-Agent": "tests/1", Authorization: "Basic " + btoa(fake.token + ":x") } });
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "3"]);
  expect(await fake.journal.waitFor({ status: "5xx" })).toMatchObject([{ method: "GET", status: 503 }]);
});
