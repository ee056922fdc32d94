import * as fs from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { SessionMessage } from "claw-contract";
import { nodeFileSystem } from "../packages/claw/src/files/index.ts";
import { createSessionStore } from "../packages/claw/src/sessions/index.ts";

export const SESSION_BYTES = 100 * 1024;

/** Who wrote the sessions: claw itself, or a program that knows no turns and commits none. */
export type Writer = "claw" | "other";

const idOf = (index: number): string => `session-${String(index).padStart(6, "0")}`;
const FIRST_ID = idOf(0);
const STEP_MS = 1000;
const BATCH = 10;

const say = (role: "user" | "assistant", text: string): SessionMessage => ({ role, blocks: [{ type: "text", text }] });
const TURN = [say("user", "What does this part do? ".repeat(10)), say("assistant", "It reads a line. ".repeat(80))];

/** A session of claw, stored turn by turn through its own store. */
async function storedSession(folder: string, bytes: number): Promise<string> {
  const store = createSessionStore(nodeFileSystem, { cwd: folder });
  const signal = new AbortController().signal;
  let size = 0;
  while (size < bytes) {
    await store.appendTurn(FIRST_ID, TURN, signal);
    size = store.find(FIRST_ID).size;
  }
  const { path } = store.find(FIRST_ID);
  const text = fs.readFileSync(path, "utf8");
  fs.rmSync(path);
  return text;
}

/** The same conversation as a program writes it that knows no turns. */
function withoutTurns(session: string, bytes: number): string {
  const [meta = "", ...records] = session.trimEnd().split("\n");
  const messages = records.filter((line) => (JSON.parse(line) as { type: string }).type === "message");
  const plain = messages.map((line) => line.replace(/"turn_id":"[^"]*",/, ""));
  const lines = [meta];
  for (let size = meta.length; size < bytes; size += (lines.at(-1) ?? "").length + 1) {
    lines.push(plain[lines.length % plain.length] ?? "");
  }
  return `${lines.join("\n")}\n`;
}

/** What every session of a folder holds. It names FIRST_ID as its session. */
export async function sessionText(folder: string, writer: Writer, bytes = SESSION_BYTES): Promise<string> {
  const text = await storedSession(folder, bytes);
  return writer === "claw" ? text : withoutTurns(text, bytes);
}

function writeSession(path: string, bytes: Buffer, modifiedSeconds: number): void {
  const fd = fs.openSync(path, "w", 0o600);
  try {
    fs.writeSync(fd, bytes);
    fs.futimesSync(fd, modifiedSeconds, modifiedSeconds);
  } finally {
    fs.closeSync(fd);
  }
}

/** Fills the store of a folder with this many sessions, each changed a second before the one ahead of it. */
export async function fillStore(cwd: string, text: string, count: number): Promise<void> {
  const directory = join(cwd, ".claw", "sessions");
  fs.mkdirSync(directory, { recursive: true });
  const bytes = Buffer.from(text);
  const at = bytes.indexOf(FIRST_ID);
  const nowMs = Date.now();
  for (let index = 0; index < count; index += 1) {
    // Writing blocks; now and then the process may hear that it is to stop.
    if (index % BATCH === 0) await setImmediate();
    bytes.write(idOf(index), at);
    writeSession(join(directory, `${idOf(index)}.jsonl`), bytes, (nowMs - index * STEP_MS) / 1000);
  }
}
