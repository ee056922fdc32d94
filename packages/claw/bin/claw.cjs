#!/usr/bin/env node
"use strict";
const { closeSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync } = require("node:fs");
const { dirname, isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

const dist = join(__dirname, "..", "dist");

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** A process that lives longer keeps what it has compiled until then, because V8 forgets code that is not run again. */
const KEEP_AFTER_MS = 10_000;

/** Characters of Node's flags in the name of a folder. */
const MAX_FLAGS = 100;

/** The folder of the user's compiled code; undefined where there is none, or its owner cannot be checked. */
function cacheHome({ XDG_CACHE_HOME: named = "", HOME: home = "" }, platform = process.platform) {
  if (platform === "win32") return undefined;
  if (isAbsolute(named)) return join(named, "claw", "code");
  if (!isAbsolute(home)) return undefined;
  return join(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]), "claw", "code");
}

/** Whether an entry is this user's own, and other users cannot write to it. */
const isOwn = ({ uid, mode }) => uid === process.geteuid() && (mode & WRITABLE_BY_OTHERS) === 0;

/** Whether only this user or the system can change what is in a folder, or put another in its place. */
function isSafe(folder) {
  if (!isOwn(lstatSync(folder))) return false;
  for (let path = dirname(folder); ; path = dirname(path)) {
    const { uid, mode } = lstatSync(path);
    if (uid !== 0 && uid !== process.geteuid()) return false;
    if ((mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** The folder's path without links; undefined when it is missing or not safe. */
function safePath(folder) {
  try {
    const path = realpathSync.native(folder);
    return isSafe(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** What V8 compiled in earlier calls; undefined when there is none, or others could have written it. */
function readCode(path) {
  try {
    const file = openSync(path, "r");
    try {
      return isOwn(fstatSync(file)) ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** V8 refuses what it compiled under other flags of Node, so each set of flags has a folder of its own. */
function flagsOf({ execArgv, env }) {
  if (execArgv.length === 0 && !env.NODE_OPTIONS) return "";
  const flags = [...execArgv, env.NODE_OPTIONS].join(" ").match(/--[a-z-]+(?:=\d+)?/g) ?? [];
  return flags.join("").slice(0, MAX_FLAGS);
}

/**
 * The compiled code of one build for one kind of call, in the user's cache folder. A kind has files of its own, which
 * hold what its calls run and nothing else. `build` stands for the program's content: V8 compares only the length.
 */
function openCodeCache(build, kind) {
  const home = cacheHome(process.env);
  if (home === undefined) return { read: () => undefined, note: () => undefined };
  const folder = join(home, `${build}-${process.version}-${process.arch}${flagsOf(process)}`);
  const path = safePath(folder);
  const missing = new Map();
  const keep = () => {
    if (missing.size > 0) require("./keep-code.cjs").keepCode({ folder, safePath, scripts: [...missing] });
    missing.clear();
  };
  return {
    read: (name) => (path === undefined ? undefined : readCode(join(path, `${kind}.${name}`))),
    /** Notes a script that had no compiled code, to keep it when more of it has run. */
    note(name, script) {
      if (script.cachedDataRejected === false) return;
      if (missing.size === 0) {
        process.once("exit", (code) => code === 0 && keep());
        setTimeout(keep, KEEP_AFTER_MS).unref();
      }
      missing.set(`${kind}.${name}`, script);
    },
  };
}

/** The build that a file belongs to, by the comment that begins it. */
const buildOf = (source) => source.slice("/*".length, source.indexOf("*/"));

/** Calls of one kind run much the same code: the first word of the line, where it looks like a verb or a flag. */
const kindOf = (word = "") => (/^-{0,2}[a-z][a-z-]{0,31}$/.test(word) ? word : "other");

/** Modules of Node that take long to load and that most calls never use. */
const SLOW = new Set([
  "node:child_process",
  "node:crypto",
  "node:module",
  "node:net",
  "node:os",
  "node:readline",
  "node:tty",
]);

/** A module that is loaded when something of it is used. */
function later(id) {
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

/** Wraps a source as `wrap` of `node:module` does, which would have to be loaded. Serves the rows of `cold-start`. */
const wrap = (source) => `(function (exports, require, module, __filename, __dirname) {${source}\n})`;

/** Loads files of the bundle, which are ASCII, and whatever of it they ask for. */
function createLoader(kind) {
  const loaded = new Map();
  // A build can replace files while this process runs.
  const caches = new Map();

  function compile(name, file) {
    const source = readFileSync(file, "latin1");
    const build = buildOf(source);
    const cache = caches.get(build) ?? openCodeCache(build, kind);
    caches.set(build, cache);
    const script = new Script(wrap(source), { filename: file, cachedData: cache.read(name) });
    cache.note(name, script);
    return script.runInThisContext();
  }

  return function load(name) {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const file = join(dist, name);
    const run = compile(name, file);
    const own = { exports: {} };
    loaded.set(name, own);
    const inside = (id) => {
      if (id.startsWith("./")) return load(id.slice(2));
      // Packages are found from here as from the bundle, since both folders stand in the same package.
      return SLOW.has(id) ? later(id) : require(id);
    };
    run(own.exports, inside, own, file, dist);
    return own.exports;
  };
}

if (require.main === module) createLoader(kindOf(process.argv[2]))("claw.cjs");
else module.exports = { cacheHome, createLoader };
