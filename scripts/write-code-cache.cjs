"use strict";
const { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire, wrap } = require("node:module");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

// The script must be made exactly as bin/claw.cjs makes it, or V8 refuses the cache.
const file = process.argv[2];
const script = new Script(wrap(readFileSync(file, "latin1")), { filename: file });
const folder = mkdtempSync(join(tmpdir(), "claw-build-"));

// Only what has run is in the cache, so a typical call is made first.
process.chdir(folder);
process.argv = [process.execPath, file, "list-sessions", "--output-format", "json"];
process.on("exit", () => {
  writeFileSync(`${file}.cache.new`, script.createCachedData());
  renameSync(`${file}.cache.new`, `${file}.cache`);
  rmSync(folder, { recursive: true });
});
script.runInThisContext()(exports, createRequire(file), module, file, dirname(file));
