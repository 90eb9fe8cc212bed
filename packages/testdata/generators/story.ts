// The story that every generated client plays: two users, a connection, an event, a feed, clean-up.
import assert from 'node:assert/strict';
import test from 'node:test';

/** What a story needs of a generated client. A session is the token of a login, and blank where there is none. */
export interface Service {
  createUser(user: { user_name: string; password: string }): Promise<{ id: number | string }>;
  logIn(login: { user_name: string; password: string }): Promise<{ session_token: string }>;
  follow(session: string, userID: number | string): Promise<{ type: string }>;
  post(session: string, event: { verb: string; language?: string }): Promise<{ id: number | string }>;
  feed(session: string): Promise<Array<{ id: number | string; verb: string }>>;
  search(session: string, text: string): Promise<Array<{ user_name: string }>>;
  deleteMe(session: string): Promise<void>;
  /** What the service answers to a feed without a session. */
  feedUnauthorized(): Promise<number>;
}

export function play(service: Service): void {
  test('a story with two users', async () => {
    const password = '9f86d081884c7d65';
    const [ada, grace] = [`ada-${process.pid}`, `grace-${process.pid}`];
    await service.createUser({ user_name: ada, password });
    const author = await service.createUser({ user_name: grace, password });
    const reading = (await service.logIn({ user_name: ada, password })).session_token;
    const writing = (await service.logIn({ user_name: grace, password })).session_token;

    assert.equal((await service.follow(reading, author.id)).type, 'follow');
    const event = await service.post(writing, { verb: 'like', language: 'en' });
    const feed = await service.feed(reading);
    assert.deepEqual(feed.map(({ id, verb }) => ({ id, verb })), [{ id: event.id, verb: 'like' }]);
    assert.deepEqual((await service.search(reading, grace)).map((user) => user.user_name), [grace]);

    assert.equal(await service.feedUnauthorized(), 401);
    await service.deleteMe(writing);
    assert.deepEqual(await service.feed(reading), []);
    await service.deleteMe(reading);
  });
}

/** The Authorization header of the fake's app with a session. */
export function authorization(session: string): string {
  return 'Basic ' + Buffer.from(`${process.env.REFSERVER_APP_TOKEN}:${session}`).toString('base64');
}

/** The body of an answer, once it is one of success. */
export function answered<T>(status: number, body: T | undefined): T {
  assert.ok(status < 300 && body !== undefined, `status ${status}`);
  return body;
}
