import { createRedactor, MASK } from "claw-contract";
import { expect, test } from "vitest";
import { createRunReader } from "./create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import type { ExitEvidence, RunItem, RunReader } from "./run-reader.ts";
import type { EventSpool } from "../stores/event-store.ts";

const SECRET = "wren-4471-secret";
const ODD_SECRET = 'pl"ver\\6693/é';
const EVIDENCE: ExitEvidence = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 1 };

interface Spooling extends EventSpool {
  readonly lines: string[];
}

function memorySpool(): Spooling {
  const lines: string[] = [];
  return { lines, append: (line) => void lines.push(line), path: "/spool", problem: () => null };
}

function readerOf(spool: EventSpool, harness: "claude-code" | "codex" = "claude-code"): RunReader {
  const redactor = createRedactor({ secrets: [SECRET, ODD_SECRET] });
  return createRunReader(HARNESSES[harness], { redactor, spool, maxEventsBytes: 300 });
}

const say = (text: string): string =>
  JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] }, parent_tool_use_id: null });

/** Everything a reader gives away. */
function everything(reader: RunReader, items: readonly RunItem[], spool: Spooling): string {
  const told = items.flatMap((item) => [item.line, JSON.stringify([item.native, item.messages])]);
  return [...told, JSON.stringify(reader.finish(EVIDENCE)), ...spool.lines].join("\n");
}

test.each([1, 7, 64, 10_000])("no secret gets through, in whatever form, in chunks of %d bytes", (size) => {
  const lines = [
    JSON.stringify({ type: "system", subtype: "init", apiKeySource: "none", env: { FOO_TOKEN: "abc" } }),
    say(`the key is ${SECRET} and sk-ant-api03-abcdefgh`),
    say(`and ${ODD_SECRET} too`).replaceAll("/", "\\/").replaceAll("é", "\\u00e9"),
    JSON.stringify({
      type: "user",
      message: { content: [{ type: "tool_result", content: `Authorization: Basic x ${SECRET}` }] },
    }),
    `{"type": oops "${SECRET}"`,
    `not json ${"x".repeat(150)} password=${SECRET}`,
    JSON.stringify({ type: "unheard-of", clientSecret: "hunter2", nested: JSON.stringify({ apiKey: "hunter2" }) }),
    JSON.stringify({ type: "result", is_error: true, result: `rejected ${SECRET}`, usage: {} }),
  ];
  const bytes = Buffer.from(lines.join("\n"));
  const spool = memorySpool();
  const reader = readerOf(spool);
  const items: RunItem[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(...reader.push(bytes.subarray(at, at + size)));
  items.push(...reader.end());
  const told = everything(reader, items, spool);
  const leaks = [SECRET, "wren-4471", "pl\\", "6693", "sk-ant-api03", "hunter2"].filter((text) => told.includes(text));
  expect(leaks).toEqual([]);
  expect([items.length, spool.lines.length]).toEqual([6, 6]);
  expect(told).toContain(`the key is ${MASK} and ${MASK}`);
});

test("a line without secrets is passed on to the byte", () => {
  const line = '{"type":"user" ,  "n":1.0,"key":"Enter","max_tokens":5,"id":"task-bbbbbbbbbbbbbbbbbbbbbbbbbbbb"}';
  const reader = readerOf(memorySpool());
  expect(reader.push(Buffer.from(`${line}\n`)).map((item) => item.line)).toEqual([line]);
});

test("who answers a request sees what it really says, and nobody else does", () => {
  const native = {
    type: "control_request",
    request_id: "r1",
    request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: `deploy ${SECRET}` } },
  };
  const [item] = readerOf(memorySpool()).push(Buffer.from(`${JSON.stringify(native)}\n`));
  expect(item?.updates).toEqual([
    expect.objectContaining({ kind: "request", id: "r1", input: { command: `deploy ${SECRET}` }, native }),
  ]);
  expect(JSON.stringify([item?.line, item?.native, item?.messages])).not.toContain(SECRET);
});
