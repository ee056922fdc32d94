import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { pick, readEvents } from "../testing/read-events.ts";
import { recallThread } from "./codex.ts";

const ID = "01a1eb01-9f60-7743-8d04-64f836b64a12";

const CONTEXT = { type: "turn_context", payload: { turn_id: "t", model: "gpt-5.5" } };
const USED = {
  type: "token_usage_record",
  payload: { usage: { input_tokens: 7 }, thread_token_usage: { input_tokens: 1000, output_tokens: 20 } },
};
const BUSY = "We’re currently experiencing high demand, which may cause temporary errors.";
const FAILED = {
  type: "event_msg",
  payload: { type: "task_complete", error: { message: BUSY, codex_error_info: "internal_server_error" } },
};

/** A folder of Codex with one thread in it. */
function threadOf(lines: readonly unknown[]): { readonly CODEX_HOME: string } {
  const home = temporaryFolder(onTestFinished);
  const day = join(home, "sessions/2026/11/17");
  mkdirSync(day, { recursive: true });
  mkdirSync(join(home, "sessions/2026/12"));
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  writeFileSync(join(day, `rollout-2026-11-17T19-35-14-${ID}.jsonl`), text);
  return { CODEX_HOME: home };
}

describe("what Codex wrote down of a thread", () => {
  test("names the model of the last turn and the totals of the thread", async () => {
    const earlier = { type: "turn_context", payload: { model: "gpt-5" } };
    const env = threadOf([earlier, "no JSON", CONTEXT, USED]);
    expect(await recallThread(ID, env)).toEqual({
      model: "gpt-5.5",
      usage: { inputTokens: 1000, outputTokens: 20, cacheReadTokens: 0, cacheCreationTokens: 0, reasoningTokens: 0 },
      failure: null,
    });
  });

  test("names why the last turn failed, and forgets it when another begins", async () => {
    const failure = { error: BUSY, status: null, category: "api", unavailable: true };
    expect((await recallThread(ID, threadOf([FAILED]))).failure).toEqual(failure);
    const begun = { type: "event_msg", payload: { type: "task_started" } };
    expect((await recallThread(ID, threadOf([FAILED, begun]))).failure).toBeNull();
  });

  test("is nothing when there is no file", async () => {
    const nothing = { model: null, usage: null, failure: null };
    expect(await recallThread("another", threadOf([CONTEXT]))).toEqual(nothing);
    expect(await recallThread(ID, { CODEX_HOME: "/nowhere" })).toEqual(nothing);
  });
});

describe("a run of codex exec", () => {
  const failed = [
    { type: "thread.started", thread_id: ID },
    { type: "turn.started" },
    { type: "turn.failed", error: { message: "Something odd." } },
  ];
  const record = {
    model: "gpt-5.5",
    usage: { inputTokens: 1000, outputTokens: 20 },
    failure: { error: "Something odd.", status: 503, category: "api", unavailable: null },
  } as const;

  test("gets from it what the stream leaves out", () => {
    const { result } = readEvents("codex", failed, { evidence: { exitCode: 1, record } });
    expect(
      pick(result, "model", "input_tokens", "output_tokens", "usage_partial", "api_error_status", "api_unavailable"),
    ).toEqual({
      model: "gpt-5.5",
      input_tokens: 1000,
      output_tokens: 20,
      usage_partial: false,
      api_error_status: 503,
      api_unavailable: true,
    });
  });

  test("keeps what its stream tells", () => {
    const other = { ...record, failure: { ...record.failure, error: "Another turn." } };
    const done = { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 1 } };
    const { result } = readEvents("codex", [...failed.slice(0, 2), done], { evidence: { record: other } });
    expect(pick(result, "error", "input_tokens", "output_tokens")).toEqual({
      error: null,
      input_tokens: 5,
      output_tokens: 1,
    });
  });
});
