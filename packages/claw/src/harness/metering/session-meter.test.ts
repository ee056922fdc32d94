import { appendFileSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessId, JsonObject } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { jsonLines } from "../../process/testing/json-lines.ts";
import type { CountedCall } from "./call-book.ts";
import { createCallBook } from "./call-book.ts";
import type { CallTokens } from "./model-call.ts";
import { createSessionMeter, createStreamCalls } from "./session-meter.ts";

const FIXTURES = fileURLToPath(new URL("../../../../../test/fixtures/harness/sessions", import.meta.url));
const CLAUDE = "7878ef0b-49c0-4a56-b653-95d6928e48ab";
const CODEX = "01a1eafe-3d9c-7531-9105-81379bcdd7b9";

const used = (input: number, output: number, cacheRead: number, cacheWritten = 0): CallTokens => ({
  input,
  output,
  cacheRead,
  cacheWritten,
  cacheHour: 0,
});

/** What the scripted server sent, without what it calls input and was read from the cache. */
const CLAUDE_CALLS = [used(11, 101, 0, 9000), used(12, 102, 9000, 100), used(13, 103, 9100, 10)];
const CLAUDE_SUB_CALLS = [used(21, 201, 0, 5000), used(22, 202, 5000, 50)];
const CODEX_CALLS = [used(10_000, 101, 0), used(100, 102, 10_000), used(100, 103, 10_100), used(100, 104, 10_200)];
const CODEX_SUB_CALLS = [used(5000, 201, 0), used(100, 202, 5000)];

const folderOf = (harness: HarnessId, root: string): Record<string, string> =>
  harness === "codex" ? { CODEX_HOME: join(root, "codex") } : { CLAUDE_CONFIG_DIR: join(root, "claude") };

const tokensOf = (calls: readonly CountedCall[]): CallTokens[] => calls.map(({ tokens }) => tokens);
const byOutput = (a: CallTokens, b: CallTokens): number => a.output - b.output;
const linesOf = (name: string): JsonObject[] => jsonLines<JsonObject>(readFileSync(join(FIXTURES, name), "utf8"));

test.each([
  ["claude-code", CLAUDE, [...CLAUDE_CALLS, ...CLAUDE_SUB_CALLS], "claude-opus-5-5"],
  ["codex", CODEX, [...CODEX_CALLS, ...CODEX_SUB_CALLS], "gpt-5.5"],
] as const)("the files of %s tell every call once, sub-agents included", (harness, id, calls, model) => {
  const book = createCallBook();
  const meter = createSessionMeter(harness, { id, env: folderOf(harness, FIXTURES) });
  const counted = meter.read().flatMap((fact) => [...book.take(fact)]);
  expect(tokensOf(counted).toSorted(byOutput)).toEqual([...calls]);
  expect(new Set(counted.map((call) => call.model))).toEqual(new Set([model]));
  expect(book.close()).toEqual([]);
  expect(meter.read()).toEqual([]);
});

test.each([
  ["claude-code", "claude/partial.ndjson", CLAUDE_CALLS, "msg_3"],
  ["codex", "codex/app-server.ndjson", [...CODEX_CALLS, ...CODEX_SUB_CALLS], null],
] as const)("the stream of %s tells the same calls by the same ids", (harness, name, calls, subCall) => {
  const book = createCallBook();
  const read = createStreamCalls(harness);
  const heard = linesOf(name).flatMap((native) => read(native).flatMap((fact) => [...book.take(fact)]));
  expect(tokensOf(heard).toSorted(byOutput)).toEqual([...calls]);
  expect(book.close()).toEqual([]);
  const id = harness === "codex" ? CODEX : CLAUDE;
  const meter = createSessionMeter(harness, { id, env: folderOf(harness, FIXTURES) });
  const more = meter.read().flatMap((fact) => [...book.take(fact)]);
  // Claude Code's stream tells no final count of a sub-agent; its files do.
  expect(more.map((call) => call.id)).toEqual(subCall === null ? [] : [subCall, "msg_4"]);
});

test("a call that was cut off is a question without an answer, and is told once", () => {
  const folder = temporaryFolder(onTestFinished);
  cpSync(FIXTURES, folder, { recursive: true });
  const transcript = join(folder, `claude/projects/-home-me-project/${CLAUDE}.jsonl`);
  const rollout = join(folder, `codex/sessions/2026/11/17/rollout-2026-11-17T19-31-32-${CODEX}.jsonl`);
  appendFileSync(transcript, `${JSON.stringify({ type: "api-request", id: "q1" })}\n`);
  const asked = {
    timestamp: "2026-11-17T20:00:00Z",
    type: "response_item",
    payload: { type: "message", role: "user" },
  };
  appendFileSync(rollout, `${JSON.stringify(asked)}\n`);
  const open = (["claude-code", "codex"] as const).map((harness) => {
    const book = createCallBook();
    const id = harness === "codex" ? CODEX : CLAUDE;
    for (const fact of createSessionMeter(harness, { id, env: folderOf(harness, folder) }).read()) book.take(fact);
    return book.close();
  });
  expect(open).toEqual([["?q1"], [`${CODEX}?2026-11-17T20:00:00Z`]]);
  const again = createCallBook();
  again.ignore("?q1");
  again.take({ kind: "asked", thread: "", id: "q1" });
  expect(again.close()).toEqual([]);
});

test("an agent without files tells nothing here", () => {
  expect(createSessionMeter("fake", { id: CLAUDE, env: folderOf("claude-code", FIXTURES) }).read()).toEqual([]);
});
