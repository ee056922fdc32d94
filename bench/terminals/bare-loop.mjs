import { createHash } from "node:crypto";
import { constants, closeSync, openSync } from "node:fs";
import { createRequire } from "node:module";

/** Reads one pty to its end, does nothing with it but a hash in the end, and says what that cost. */
const [pipe] = process.argv.slice(2);
const pty = createRequire(import.meta.url)("@lydell/node-pty");
const chunks = [];
const program = pty.spawn("sh", ["-c", `stty raw -echo; exec cat '${pipe}'`], { encoding: null });
// Without it the last kilobytes may be lost on Node 20 and 22.
const held = openSync(program.ptsName, constants.O_RDWR | constants.O_NOCTTY);
const before = process.cpuUsage();
program.onData((chunk) => void chunks.push(chunk));
program.onExit(() => {
  const { user, system } = process.cpuUsage(before);
  closeSync(held);
  const all = Buffer.concat(chunks);
  const hash = createHash("sha256").update(all).digest("hex");
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, bytes: all.length, hash }));
});
