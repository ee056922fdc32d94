import { appendFileSync, readSync, statSync, write } from "node:fs";
import { connect } from "node:net";
import { basename, dirname } from "node:path";
import type { LineFields } from "claw-contract";
import { HOOK_REPORT, LIMITS } from "claw-contract";
import { askOnce } from "../../process/index.ts";
import { REPORTED_CHARS } from "../interactive/hook-fact.ts";

/**
 * The program that an agent in a terminal starts to report an event: `hook SOCKET [JSON]`, with the JSON on stdin
 * unless given. The program never hinders the agent: after any error it exits with 0 and prints nothing.
 */

const STDIN = 0;
const STDOUT = 1;
const CHUNK_BYTES = 64 * 1024;
/** A report larger than this is not read to the end and not passed on. */
const INPUT_BYTES = 32 * 1024 * 1024;
/** Size limit of the reports kept while the worker is away; further reports are dropped. */
const MISSED_BYTES = 1024 * 1024;
/** How long the worker may take to read a report that needs no answer. */
const HEARD_MS = 5000;
const PRIVATE_FILE = 0o600;
/** Number of prompts passed on from a turn. */
const PROMPTS = 20;

/** The fields that the worker reads. Results of tools are left out: they may be huge, and the worker ignores them. */
const FIELDS = [
  "hook_event_name",
  "session_id",
  "transcript_path",
  "permission_mode",
  "tool_name",
  "tool_use_id",
  "tool_input",
  "message",
  "notification_type",
  "source",
  "reason",
  "error",
  "last_assistant_message",
  "type",
  "thread-id",
  "input-messages",
  "last-assistant-message",
];

function readInput(): string {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= INPUT_BYTES;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(STDIN, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) return Buffer.concat(chunks).toString();
    chunks.push(chunk.subarray(0, length));
    size += length;
  }
  return "";
}

function reportOf(text: string): Record<string, unknown> | undefined {
  const read: unknown = JSON.parse(text);
  if (typeof read !== "object" || read === null) return undefined;
  const whole = read as Record<string, unknown>;
  return Object.fromEntries(
    FIELDS.filter((name) => whole[name] !== undefined).map((name) => [name, shortPrompts(whole[name])]),
  );
}

/** Cuts a list of prompts: the first prompts, and the beginning of each. */
function shortPrompts(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.slice(0, PROMPTS).map((each) => (typeof each === "string" ? each.slice(0, REPORTED_CHARS) : ""));
}

/** Stores a report until the worker is back. */
function keepMissed(line: string): void {
  const size = statSync("hooks.missed", { throwIfNoEntry: false })?.size ?? 0;
  if (size + line.length <= MISSED_BYTES) appendFileSync("hooks.missed", line, { mode: PRIVATE_FILE });
}

/** Sends a report to the worker. Resolves with the worker's answer; with an empty text when there is none. */
async function deliver(name: string, report: LineFields): Promise<string> {
  const socket = connect(name);
  const awaitsAnswer = report["hook_event_name"] === "PermissionRequest";
  if (!awaitsAnswer) socket.setTimeout(HEARD_MS, () => socket.destroy(new Error("not heard")));
  const reply = await askOnce(socket, HOOK_REPORT, report, { maxLineBytes: LIMITS.hookAnswerBytes });
  return typeof reply?.["answer"] === "string" ? reply["answer"] : "";
}

function writeAnswer(answer: string): Promise<void> {
  return new Promise((resolve) => {
    write(STDOUT, answer, () => resolve());
  });
}

async function main(path: string, given: string | undefined): Promise<void> {
  const report = reportOf(given ?? readInput());
  if (report === undefined) return;
  // A socket path is limited to about a hundred bytes; a name in the working folder is always short enough.
  process.chdir(dirname(path));
  try {
    const answer = await deliver(basename(path), report);
    if (answer !== "") await writeAnswer(answer);
  } catch {
    // The worker is being restarted.
    keepMissed(`${JSON.stringify(report)}\n`);
  }
}

main(process.argv[2] ?? "", process.argv[3]).then(
  () => process.exit(0),
  () => process.exit(0),
);
