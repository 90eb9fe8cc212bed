/// <reference lib="esnext.disposable" />

/** A time as a number with its unit, such as "10s", "1h30m" or "500ms". */
export type Duration = string;

/** What a server or a world begins with. */
export interface Settings {
  /** Names of variants where the contract leaves a choice, such as "lagging+uuid-ids". */
  dialect?: string;
  /** Single choices over those of the dialect, such as { lag: "10s" }. */
  choose?: Record<string, string>;
  /** Names of faults, each of which breaks one rule of the contract. */
  faults?: string[];
  /** Rules of weather, such as "429,after=5" or "delay=2s,on=21". */
  weather?: string[];
  /** Demo data ("demo:users=50,events=1000,rand=7"), or users, connections and events as YAML. */
  seed?: string;
  /** A time (RFC 3339) at which the clock stands still. Default: it runs. */
  clock?: string | Date;
}

export interface FakeOptions extends Settings {
  /** Serve HTTPS by a certificate of its own; see `ca` and `caFile`. Default: plain HTTP. */
  tls?: boolean;
  /** The app token. Default: a random one. */
  token?: string;
  /** The app token of a second application. Default: a random one. */
  secondToken?: string;
  /** Requests a minute in each category. Default: 0, no limit. */
  rateLimit?: number;
  /** Path of a seed as YAML. */
  seedFile?: string;
  /** Path of a JSON report of conform: behave like the server that it is about. */
  like?: string;
  /** Further flags of the program; see refserver --help. */
  args?: string[];
  /** Path of the program. Default: REFSERVER_BINARY, or the one of this platform's package. */
  binary?: string;
}

/** Which requests are meant: all that have every one of these. */
export interface JournalFilter {
  /** The number of an endpoint in the contract, 1 to 22. */
  endpoint?: number;
  /** In capitals, such as "POST". */
  method?: string;
  /** A status such as 404, or a class such as "5xx". */
  status?: number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx";
  /** A session as the journal names it, such as "session:ada#1". */
  session?: string;
  /** Only entries after the one with this number. */
  since?: number;
}

/** A request and its answer, with tokens and passwords hidden. */
export interface JournalEntry {
  seq: number;
  world: string;
  /** By the machine's clock (RFC 3339). */
  at: string;
  duration_ms: number;
  method: string;
  /** With the query. */
  path: string;
  /** The number of the endpoint in the contract, absent for a path that it does not have. */
  endpoint?: number;
  /** 0 where the client was gone before an answer. */
  status: number;
  app?: string;
  session?: string;
  /** Why a request was refused. */
  why?: { stage: string; reason: string; code?: number };
  /** The rules of weather that acted. */
  weather?: string;
  headers: Record<string, string>;
  /** The decoded body, or its size as a text where it is not JSON or too long. */
  request?: unknown;
  answer?: unknown;
}

export interface Journal {
  /** The requests that are meant, oldest first. The server keeps the last 1,000 of all. */
  entries(filter?: JournalFilter): Promise<JournalEntry[]>;
  /** Waits until there are `count` such requests (default 1), those before the call included, and rejects after `timeout` (default "5s", at most "1m"). */
  waitFor(filter?: JournalFilter, options?: { count?: number; timeout?: Duration }): Promise<JournalEntry[]>;
  clear(): Promise<void>;
}

/** The time of a world: sessions, rate limits, lag and weather follow it. It never goes back. */
export interface Clock {
  now(): Promise<Date>;
  advance(duration: Duration): Promise<void>;
  /** Stops the clock, at a time that is not before its own. Default: now. */
  freeze(at?: string | Date): Promise<void>;
  run(): Promise<void>;
}

/** What is set in a world, and how much it holds. */
export interface WorldView {
  name: string;
  dialect?: string;
  choose?: Record<string, string>;
  faults?: string[];
  weather?: string[];
  now: string;
  frozen: boolean;
  holds: { users: number; sessions: number; connections: number; events: number };
}

/** An isolated state of the server: its own users, clock, weather and journal. */
export interface World {
  readonly name: string;
  /** The base URL, such as "http://127.0.0.1:40123". */
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
  readonly journal: Journal;
  view(): Promise<WorldView>;
  /** Replaces the weather; without rules the sky is clear. */
  weather(...rules: string[]): Promise<void>;
  /** Sets what is named, each as a whole; users, sessions and events stay. */
  change(settings: Pick<Settings, "dialect" | "choose" | "faults" | "weather">): Promise<void>;
  /** Replaces what the world holds by a seed. */
  seed(text: string): Promise<void>;
}

/** A running server; what it has of a world is that of its first one. */
export interface Fake extends World {
  readonly secondToken: string;
  /** The authority to trust, as PEM. Undefined for plain HTTP. */
  readonly ca: string | undefined;
  /** A file with it, which the server removes when it ends. */
  readonly caFile: string | undefined;
  readonly controlUrl: string;
  readonly controlToken: string;
  /** A link to the console that logs a browser in. */
  readonly consoleUrl: string;
  readonly pid: number;
  /** Opens a further world, so that tests of one server run side by side. */
  openWorld(settings?: Settings & { name?: string }): Promise<World>;
  /** Takes the first world back to what it began with; sessions end. */
  reset(): Promise<void>;
  /** A call of the control plane, for what has no method here. A text is sent as it is, anything else as JSON. */
  control<T = unknown>(method: string, path: string, body?: unknown, query?: Record<string, string | number>): Promise<T>;
  /** Ends the server, and resolves when its process is gone. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server on a free port of this machine, and resolves when it serves. */
export function createFake(options?: FakeOptions): Promise<Fake>;
