"use strict";
// The refserver program: where it is, how it starts, and how it ends.

const { spawn } = require("node:child_process");

const startTime = 30_000; // ms until the server must have said where it is
const stopTime = 10_000; // ms until it must have ended after its input has
const keptErrors = 4096; // characters of stderr that an error quotes at most

/** Returns the path of the program: the one that is given, of REFSERVER_BINARY, or of this platform's package. */
function findBinary(given) {
  const chosen = given || process.env.REFSERVER_BINARY;
  if (chosen) return chosen;
  const name = `@socialfeed/refserver-${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "refserver.exe" : "refserver";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch (cause) {
    const ways = "install it, without --omit=optional, or name a program by REFSERVER_BINARY";
    throw new Error(`@socialfeed/refserver: the package ${name} with the program is not installed: ${ways}`, { cause });
  }
}

/**
 * Starts the program and resolves, once it serves, with the process and the object that it prints. The
 * program ends with its standard input, so also where this process is killed. It keeps no event loop alive.
 */
function start(binary, args, env) {
  const child = spawn(binary, [...args, "--print", "json", "--stop-with-stdin"], { env, stdio: "pipe", windowsHide: true });
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.unref();
  child.stdin.on("error", () => {}); // it has ended already
  let errors = "";
  const collect = (text) => (errors = (errors + text).slice(-keptErrors));
  child.stderr.setEncoding("utf8").on("data", collect);
  return new Promise((resolve, reject) => {
    const fail = (what, cause) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`starting refserver: ${what}${errors && ": " + errors.trim()}`, { cause }));
    };
    const timer = setTimeout(() => fail(`it was not ready after ${startTime / 1000} s`), startTime);
    const ended = (code, signal) => fail(`it ended with ${signal ?? code}`);
    child.on("error", (cause) => fail(cause.message, cause));
    child.on("close", ended);
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
      if (!printed.includes("\n")) return;
      clearTimeout(timer);
      child.off("close", ended);
      child.stdout.removeAllListeners("data").resume();
      child.stderr.off("data", collect).on("data", (line) => process.stderr.write(line));
      try {
        resolve({ child, service: JSON.parse(printed) });
      } catch (cause) {
        fail("what it printed is not JSON", cause);
      }
    });
  });
}

/** Ends the process, and resolves when it is gone. */
function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTime);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.ref();
    child.stdin.end();
  });
}

module.exports = { findBinary, start, stop };
