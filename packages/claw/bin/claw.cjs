#!/usr/bin/env node
"use strict";
const { readFileSync } = require("node:fs");
const { createRequire, wrap } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

// The bundle is ASCII. V8 checks the cache itself and compiles anew when it was made by another version.
const dist = join(__dirname, "..", "dist");
const file = join(dist, "claw.cjs");
const script = new Script(wrap(readFileSync(file, "latin1")), { filename: file, cachedData: readCache() });
script.runInThisContext()(exports, createRequire(file), module, file, dist);

function readCache() {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}
