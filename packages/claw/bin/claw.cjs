#!/usr/bin/env node
"use strict";
const { readFileSync } = require("node:fs");
const { createRequire, wrap } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

const dist = join(__dirname, "..", "dist");
const loaded = new Map();

/** What V8 compiled when the file was built; it checks that itself and compiles anew when another version made it. */
function readCache(file) {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}

/** Modules of Node that take long to load and that most calls never use. */
const SLOW = new Set(["node:child_process", "node:crypto", "node:net", "node:readline", "node:tty"]);

/** A module that is loaded when something of it is used. */
function later(require, id) {
  return new Proxy(
    {},
    {
      get: (_none, key) => require(id)[key],
      ownKeys: () => Reflect.ownKeys(require(id)),
      getOwnPropertyDescriptor: (_none, key) => ({
        ...Reflect.getOwnPropertyDescriptor(require(id), key),
        configurable: true,
      }),
    },
  );
}

/** Loads a file of the bundle, which is ASCII, and whatever of it that file asks for. */
function load(name, scripts = new Map()) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = join(dist, name);
  const script = new Script(wrap(readFileSync(file, "latin1")), { filename: file, cachedData: readCache(file) });
  scripts.set(file, script);
  const own = { exports: {} };
  loaded.set(name, own);
  const outside = createRequire(file);
  const inside = (id) => {
    if (id.startsWith("./")) return load(id.slice(2), scripts);
    return SLOW.has(id) ? later(outside, id) : outside(id);
  };
  script.runInThisContext()(own.exports, Object.assign(inside, outside), own, file, dist);
  return own.exports;
}

if (require.main === module) load("claw.cjs");
else module.exports = { load };
