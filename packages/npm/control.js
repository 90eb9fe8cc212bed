"use strict";
// The calls of the control plane. They use node:http, since tests put fetch under their own control.

const http = require("node:http");

const answerTime = 90_000; // ms; a call waits for a minute at most

/** Control sends calls to the control plane of one server. */
class Control {
  #url;
  #token;

  constructor(url, token) {
    this.#url = url;
    this.#token = token;
  }

  /** Resolves with the decoded answer, null where it is empty. A text is sent as it is, anything else as JSON. */
  call(method, path, body, query = {}) {
    const url = new URL(path, this.#url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const failed = (what, cause) => new Error(`refserver: ${method} ${path}: ${what}`, { cause });
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${this.#token}` };
      const request = http.request(url, { method, headers, agent: false, timeout: answerTime }, (answer) => {
        let received = "";
        answer.setEncoding("utf8").on("data", (chunk) => (received += chunk));
        answer.on("error", (cause) => reject(failed(cause.message, cause)));
        answer.on("end", () => {
          try {
            const value = received === "" ? null : JSON.parse(received);
            if (answer.statusCode < 300) resolve(value);
            else reject(failed(`${answer.statusCode} ${value?.error ?? received}`));
          } catch (cause) {
            reject(failed("the answer is not JSON", cause));
          }
        });
      });
      request.on("timeout", () => request.destroy(new Error(`no answer after ${answerTime / 1000} s`)));
      request.on("error", (cause) => reject(failed(cause.message, cause)));
      request.end(text);
    });
  }
}

/** Journal is what one world was asked and what it answered, without secrets. */
class Journal {
  #control;
  #world;

  constructor(control, world) {
    this.#control = control;
    this.#world = world;
  }

  async entries(filter = {}) {
    return (await this.#read(filter)).entries;
  }

  async waitFor(filter = {}, { count = 1, timeout = "5s" } = {}) {
    const { entries } = await this.#read({ ...filter, count, wait: timeout });
    if (entries.length >= count) return entries;
    const all = await this.entries();
    const lines = all.slice(-10).map((e) => `\n  ${e.method} ${e.path} ${e.status}`).join("");
    throw new Error(`refserver: ${entries.length} of ${count} requests like ${JSON.stringify(filter)} came within ${timeout}; the last of all:${lines || " none"}`);
  }

  async clear() {
    await this.#control.call("DELETE", "/v1/journal", undefined, { world: this.#world });
  }

  #read(query) {
    return this.#control.call("GET", "/v1/journal", undefined, { ...query, world: this.#world });
  }
}

/** Clock is the time of one world. */
class Clock {
  #move;
  #view;

  constructor(world, move) {
    this.#move = move;
    this.#view = () => world.view();
  }

  async now() {
    return new Date((await this.#view()).now);
  }

  advance(duration) {
    return this.#move({ advance: duration });
  }

  freeze(at) {
    return this.#move({ freeze: true, at: at instanceof Date ? at.toISOString() : at });
  }

  run() {
    return this.#move({ run: true });
  }
}

/** World is one isolated state of the server at the URL, reached by an app token of its own. */
class World {
  #control;
  #path;

  constructor(control, { name, url, token }) {
    this.#control = control;
    this.#path = `/v1/worlds/${encodeURIComponent(name)}`;
    Object.assign(this, { name, url, token });
    this.clock = new Clock(this, async (move) => void (await this.#call("POST", "/clock", move)));
    this.journal = new Journal(control, name);
  }

  view() {
    return this.#call("GET", "");
  }

  async weather(...rules) {
    await this.#call("PUT", "/weather", rules);
  }

  async change(settings) {
    await this.#call("PATCH", "", settings);
  }

  async seed(text) {
    await this.#call("POST", "/seed", text);
  }

  async remove() {
    await this.#call("DELETE", "");
  }

  #call(method, path, body) {
    return this.#control.call(method, this.#path + path, body);
  }
}

module.exports = { Control, World };
