import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

/** Writes into named pipes, all of them at the same pace, and says the hash of what each was given. */
const [seconds, bytesPerSecond, ...paths] = process.argv.slice(2);
const TICK_MS = 100;
const ticks = (Number(seconds) * 1000) / TICK_MS;
const share = Math.round(((Number(bytesPerSecond) / paths.length) * TICK_MS) / 1000);

const feeds = paths.map((path, index) => ({ fd: openSync(path, "w"), index, hash: createHash("sha256") }));

/** Printable, and different for every pipe and tick. */
function piece(index, tick) {
  const line = `${index}:${tick}:`;
  return Buffer.from(line + "x".repeat(Math.max(0, share - line.length)));
}

function write(fd, bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

let tick = 0;
const timer = setInterval(() => {
  for (const { fd, index, hash } of feeds) {
    const bytes = piece(index, tick);
    hash.update(bytes);
    write(fd, bytes);
  }
  tick += 1;
  if (tick < ticks) return;
  clearInterval(timer);
  for (const { fd } of feeds) closeSync(fd);
  console.log(
    JSON.stringify({ bytes: share * ticks * feeds.length, hashes: feeds.map(({ hash }) => hash.digest("hex")) }),
  );
}, TICK_MS);
