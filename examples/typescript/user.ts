// The fake as tests see it: a world for each, users in it, and its control plane.
import { createHash, randomUUID } from "node:crypto";

export type Id = string | number;
export type Event = { id: Id; verb: string };
export type Answer<T> = { status: number; body: T };

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by refserver exec --worlds test- -- npm test`);
  return value;
}

async function call<T>(method: string, url: string, authorization: string, body?: unknown): Promise<Answer<T>> {
  const headers: Record<string, string> = { Authorization: authorization, Accept: "application/json", "User-Agent": "feed-tests/1.0" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : null) as T };
}

/** User is somebody with a session. */
export class User {
  constructor(
    readonly id: Id,
    private readonly authorization: string,
  ) {}

  private send<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    return call<T>(method, variable("REFSERVER_URL") + path, this.authorization, body);
  }

  follow = (other: User) => this.send("POST", "/0.2/user/connections", { user_to_id: String(other.id), type: "follow" });
  post = (verb: string) => this.send<Event>("POST", "/0.2/user/events", { verb });
  feed = () => this.send<Event[]>("GET", "/0.2/user/feed");
}

/** World is an isolated world of the fake: tests with one each need no reset, and run side by side. */
export class World {
  private readonly name = randomUUID();

  private basic = (session: string) => "Basic " + Buffer.from(`test-${this.name}:${session}`).toString("base64");

  async join(userName: string): Promise<User> {
    const created = await call<{ id: Id; session_token: string }>(
      "POST",
      variable("REFSERVER_URL") + "/0.2/users?withLogin=true",
      this.basic(""),
      {
        user_name: userName,
        email: `${userName}@example.com`,
        password: createHash("sha256").update("what was typed").digest("hex"),
      },
    );
    if (created.status !== 201) throw new Error(`creating ${userName}: ${created.status}`);
    return new User(created.body.id, this.basic(created.body.session_token));
  }

  /** weather lets things happen to requests, such as "429,after=5". */
  weather = (...rules: string[]) => this.control("PUT", "/weather", rules);

  /** choose sets what the contract leaves open, such as a lag of feeds. */
  choose = (choices: Record<string, string>) => this.control("PATCH", "", { choose: choices });

  /** advance moves the world's clock, so that no test has to wait. */
  advance = (duration: string) => this.control("POST", "/clock", { advance: duration });

  private async control(method: string, path: string, body: unknown) {
    const url = `${variable("REFSERVER_CONTROL_URL")}/v1/worlds/${this.name}${path}`;
    const answer = await call(method, url, `Bearer ${variable("REFSERVER_CONTROL_TOKEN")}`, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} of the control plane: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
