import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { callVerb } from "../runtime/handle.conformance.ts";
import { createTestPorts } from "../testing/test-ports.ts";

const open = (): string => temporaryFolder(onTestFinished);

async function flush(cwd: string, input: object, ports = createTestPorts(cwd)): Promise<unknown> {
  const outcome = await callVerb("flush-transcript", { ...input }, ports);
  return outcome.kind === "failure" ? outcome.code : outcome.kind === "data" ? outcome.data : outcome.kind;
}

const counts = { input_tokens: 0, output_tokens: 0 };

test("a prompt makes a session, and the next one goes on with it", async () => {
  const cwd = open();
  expect(await flush(cwd, { prompt: "one", sessionId: "s" })).toEqual({
    session_id: "s",
    path: ".claw/sessions/s.jsonl",
    flushed: true,
    messages_count: 1,
    effect: "created",
    ...counts,
  });
  expect(await flush(cwd, { prompt: "two", sessionId: "latest" })).toMatchObject({
    messages_count: 2,
    effect: "updated",
  });
});

test("without an id each prompt makes a session of its own", async () => {
  const cwd = open();
  await flush(cwd, { prompt: "one" });
  await flush(cwd, { prompt: "one" });
  expect(readdirSync(join(cwd, ".claw", "sessions")).length).toBe(2);
});

test.each(["", "  \n"])("a prompt of nothing (%j) is refused", async (prompt) => {
  expect(await flush(open(), { prompt })).toBe("MISSING_PROMPT");
});

test("without a prompt a session is forced to disk and stays as it is", async () => {
  const cwd = open();
  await flush(cwd, { prompt: "one", sessionId: "s" });
  const path = join(cwd, ".claw", "sessions", "s.jsonl");
  const before = readFileSync(path, "utf8");
  expect(await flush(cwd, { sessionId: "s" })).toMatchObject({ flushed: true, effect: "noop", messages_count: 1 });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect([await flush(cwd, {}), await flush(cwd, { sessionId: "none" })]).toEqual([
    "MISSING_ARGUMENT",
    "SESSION_NOT_FOUND",
  ]);
});

test("a dry run stores nothing and foretells the answer", async () => {
  const cwd = open();
  expect(await flush(cwd, { prompt: "one", sessionId: "s", dryRun: true })).toMatchObject({
    session_id: "s",
    flushed: false,
    messages_count: 1,
    effect: "would_create",
  });
  expect(existsSync(join(cwd, ".claw"))).toBe(false);
  await flush(cwd, { prompt: "one", sessionId: "s" });
  expect(await flush(cwd, { prompt: "two", sessionId: "s", dryRun: true })).toMatchObject({
    messages_count: 2,
    effect: "would_update",
  });
  expect(await flush(cwd, { sessionId: "s" })).toMatchObject({ messages_count: 1 });
});

test("the word for the newest needs one", async () => {
  expect(await flush(open(), { prompt: "x", sessionId: "latest" })).toBe("NO_SESSIONS");
});

test("a secret in a prompt is never stored", async () => {
  const cwd = open();
  const redactor = createRedactor({ secrets: ["hunter2-hunter2"] });
  await flush(cwd, { prompt: "it is hunter2-hunter2", sessionId: "s" }, createTestPorts(cwd, { redactor }));
  expect(readFileSync(join(cwd, ".claw", "sessions", "s.jsonl"), "utf8")).not.toContain("hunter2");
});

test("an unfinished line is set aside with a warning", async () => {
  const cwd = open();
  await flush(cwd, { prompt: "one", sessionId: "s" });
  appendFileSync(join(cwd, ".claw", "sessions", "s.jsonl"), '{"torn');
  const ports = createTestPorts(cwd);
  await flush(cwd, { prompt: "two", sessionId: "s" }, ports);
  expect(ports.notes.notes().warnings).toEqual([
    expect.stringMatching(/^SESSION_TORN_TAIL: the last line was never finished; 6 bytes are in .*s\.jsonl\.torn-\d+$/),
  ]);
});

test("a key makes a repeated call harmless", async () => {
  const cwd = open();
  const input = { prompt: "one", sessionId: "s", idempotencyKey: "k" };
  await flush(cwd, input);
  expect(await flush(cwd, input)).toMatchObject({ messages_count: 1, effect: "noop" });
  expect(await flush(cwd, { sessionId: "s" })).toMatchObject({ messages_count: 1 });
});
