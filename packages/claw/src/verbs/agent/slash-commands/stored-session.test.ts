import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "claw-contract";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { createTestPorts } from "../../testing/test-ports.ts";
import { readNewestSession } from "./stored-session.ts";

const TOTALS = {
  messages: 0,
  prompts: 0,
  turns: 0,
  input_tokens: 0,
  output_tokens: 0,
  latest_total: 0,
  estimated_tokens: 0,
};

const message = (turn: string | undefined, role: "user" | "assistant", text: string): SessionRecord => ({
  type: "message",
  ...(turn === undefined ? {} : { turn_id: turn }),
  message: { role, blocks: [{ type: "text", text }], usage: { input_tokens: 2, cache_read_input_tokens: 1 } },
});

const commit = (turn: string): SessionRecord => ({
  type: "turn_commit",
  turn_id: turn,
  timestamp_ms: 1,
  totals: TOTALS,
});

function read(...records: readonly SessionRecord[]) {
  const cwd = temporaryFolder(onTestFinished);
  const folder = join(cwd, ".claw", "sessions");
  mkdirSync(folder, { recursive: true });
  const meta: SessionRecord = { type: "session_meta", version: 1, session_id: "s", created_at_ms: 1, model: "m-1" };
  writeFileSync(join(folder, "s.jsonl"), [meta, ...records].map((record) => `${JSON.stringify(record)}\n`).join(""));
  return readNewestSession(createTestPorts(cwd));
}

test("what was asked and used is summed, without turns that never ended", async () => {
  const session = await read(
    message(undefined, "user", "zero"),
    message("t1", "user", "one"),
    message("t1", "assistant", "answer"),
    commit("t1"),
    message("t2", "user", "never answered"),
  );
  expect(session).toEqual({
    id: "s",
    model: "m-1",
    costUsd: null,
    usage: { input_tokens: 6, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 3 },
    prompts: ["zero", "one"],
  });
});

test("of many long prompts only what a history shows is kept", async () => {
  const many = Array.from({ length: LIMITS.historyMax + 5 }, (_, index) =>
    message(undefined, "user", `${index} ${"x".repeat(500)}`),
  );
  const { prompts } = await read(...many);
  expect(prompts).toHaveLength(LIMITS.historyMax);
  expect(prompts[0]).toMatch(/^5 x/);
  expect(prompts.every((prompt) => prompt.length <= LIMITS.historyLineChars + 1)).toBe(true);
});
