// A small client for the tests, which is where yours would stand.
import { createHash } from "node:crypto";

import type { World } from "@socialfeed/refserver";

export type Id = string | number;
export type Event = { id: Id; verb: string };
export type Answer<T> = { status: number; body: T };

/** User is somebody with a session in a world. */
export class User {
  private constructor(
    private readonly world: World,
    readonly id: Id,
    private readonly session: string,
  ) {}

  static async join(world: World, userName: string): Promise<User> {
    const created = await send<{ id: Id; session_token: string }>(world, "", "POST", "/0.2/users?withLogin=true", {
      user_name: userName,
      email: `${userName}@example.com`,
      password: createHash("sha256").update("what was typed").digest("hex"),
    });
    if (created.status !== 201) throw new Error(`creating ${userName}: ${created.status}`);
    return new User(world, created.body.id, created.body.session_token);
  }

  follow = (other: User) => this.send("POST", "/0.2/user/connections", { user_to_id: String(other.id), type: "follow" });
  post = (verb: string) => this.send<Event>("POST", "/0.2/user/events", { verb });
  feed = () => this.send<Event[]>("GET", "/0.2/user/feed");

  private send = <T>(method: string, path: string, body?: unknown) => send<T>(this.world, this.session, method, path, body);
}

async function send<T>(world: World, session: string, method: string, path: string, body?: unknown): Promise<Answer<T>> {
  const headers: Record<string, string> = {
    Authorization: "Basic " + Buffer.from(`${world.token}:${session}`).toString("base64"),
    Accept: "application/json",
    "User-Agent": "feed-tests/1.0",
  };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(world.url + path, { method, headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as T };
}
