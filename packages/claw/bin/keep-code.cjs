"use strict";
const fs = require("node:fs");
const { dirname, join } = require("node:path");

/** Folders that stay: versions of claw and of Node, and flags of Node, can be in use side by side. */
const KEPT_FOLDERS = 6;

/** Files of one build: more than all kinds of calls have. */
const MAX_FILES = 400;

const PRIVATE = { folder: 0o700, file: 0o600 };

/** Removes all folders of compiled code but the newest. */
function prune(home) {
  const newestFirst = fs
    .readdirSync(home)
    .map((name) => ({ path: join(home, name), changed: fs.lstatSync(join(home, name)).mtimeMs }))
    .toSorted((one, other) => other.changed - one.changed);
  for (const { path } of newestFirst.slice(KEPT_FOLDERS)) fs.rmSync(path, { recursive: true, force: true });
}

/** Makes a folder and those above. Node's own way to do so never ends where a disk denies that it has the folder above. */
function makeFolder(path) {
  if (fs.existsSync(path)) return;
  makeFolder(dirname(path));
  fs.mkdirSync(path, PRIVATE.folder);
}

/** Puts a whole file in place at once, so that another start finds all of it or none, also after a power cut. */
function put(path, data) {
  const fresh = `${path}.${process.pid}.new`;
  const file = fs.openSync(fresh, "wx", PRIVATE.file);
  try {
    fs.writeFileSync(file, data);
    fs.fsyncSync(file);
    fs.renameSync(fresh, path);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

/** Writes what V8 has compiled of the scripts to the user's cache folder, where no other user can change it. Says whether it did. */
function keepCode({ folder, safePath, scripts }) {
  try {
    const isNew = !fs.existsSync(folder);
    makeFolder(folder);
    const path = safePath(folder);
    if (path === undefined || fs.readdirSync(path).length >= MAX_FILES) return false;
    if (isNew) prune(dirname(path));
    for (const [name, script] of scripts) put(join(path, name), script.createCachedData());
    return true;
  } catch {
    // A disk that is full or read-only, or another process that removed the folder: the next start compiles again.
    return false;
  }
}

module.exports = { keepCode };
