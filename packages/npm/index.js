"use strict";
// The fake for the tests of a client: a server of its own, for as long as the tests need it.

const { randomBytes } = require("node:crypto");
const { readFileSync } = require("node:fs");

const { Control, World } = require("./control.js");
const { findBinary, start, stop } = require("./process.js");

const secret = () => randomBytes(16).toString("hex");

/** Fake is a running server: its first world, and what concerns the server as a whole. */
class Fake extends World {
  #child;
  #control;

  constructor(child, service, tokens) {
    const control = new Control(service.control_url, tokens.control);
    super(control, { name: "default", url: service.base_url, token: tokens.first });
    this.#child = child;
    this.#control = control;
    this.secondToken = tokens.second;
    this.caFile = service.ca_file;
    this.ca = service.ca_file && readFileSync(service.ca_file, "utf8");
    this.controlUrl = service.control_url;
    this.controlToken = tokens.control;
    this.consoleUrl = `${service.control_url}/#token=${tokens.control}`;
    this.pid = child.pid;
  }

  async openWorld(settings = {}) {
    const opened = await this.#control.call("POST", "/v1/worlds", settings);
    return new World(this.#control, { name: opened.name, url: this.url, token: opened.app_token });
  }

  /** Takes the first world back to what it began with: users, weather, clock and journal. */
  reset() {
    return this.remove();
  }

  control(method, path, body, query) {
    return this.#control.call(method, path, body, query);
  }

  close() {
    return stop(this.#child);
  }

  [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]() {
    return this.close();
  }
}

/** Starts a server and resolves when it serves. */
exports.createFake = async function createFake(options = {}) {
  const tokens = { first: options.token ?? secret(), second: options.secondToken ?? secret(), control: secret() };
  const env = {
    ...process.env,
    REFSERVER_APP_TOKEN: tokens.first, // other users can read a command line
    REFSERVER_SECOND_APP_TOKEN: tokens.second,
    REFSERVER_CONTROL_TOKEN: tokens.control,
  };
  const { child, service } = await start(findBinary(options.binary), flags(options), env);
  return new Fake(child, service, tokens);
};

/** Returns the options as flags of the program. */
function flags(options) {
  const list = ["--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--log", "off", "--rate-limit", String(options.rateLimit ?? 0)];
  if (!options.tls) list.push("--http");
  const add = (flag, value) => {
    if (value !== undefined) list.push(`${flag}=${value}`);
  };
  add("--seed", options.seed);
  add("--seed-file", options.seedFile);
  add("--dialect", options.dialect);
  add("--like", options.like);
  add("--clock", options.clock instanceof Date ? options.clock.toISOString() : options.clock);
  for (const [name, value] of Object.entries(options.choose ?? {})) add("--choose", `${name}=${value}`);
  for (const fault of options.faults ?? []) add("--fault", fault);
  for (const rule of options.weather ?? []) add("--weather", rule);
  return [...list, ...(options.args ?? [])];
}
