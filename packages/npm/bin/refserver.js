#!/usr/bin/env node
"use strict";
// Runs the refserver program of this platform's package.

const { spawn } = require("node:child_process");

const { findBinary } = require("../process.js");

const child = spawn(findBinary(), process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // a terminal sends it to the program as well
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`refserver: ${error.message}`);
  process.exitCode = 2;
});
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 128 + require("node:os").constants.signals[signal] : code;
});
