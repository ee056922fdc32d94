import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, VerbName } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { callVerb } from "./handle.conformance.ts";
import { createTestPorts } from "../testing/test-ports.ts";

/** A folder with one good session and some that are odd in one way each. */
function prepare(): string {
  const cwd = temporaryFolder(onTestFinished);
  const sessions = join(cwd, ".claw", "sessions");
  mkdirSync(join(sessions, "folder.jsonl"), { recursive: true });
  symlinkSync("/nowhere", join(sessions, "link.jsonl"));
  const message = { type: "message", message: { role: "user", blocks: [{ type: "text", text: "hi" }] } };
  const files: Record<string, readonly object[]> = {
    good: [{ type: "session_meta", version: 1, session_id: "good", created_at_ms: 5 }, message],
    "far-future": [{ type: "session_meta", version: 1, session_id: "x", created_at_ms: 2 ** 53 - 1 }, message],
    "odd-time": [{ type: "session_meta", version: 1, session_id: "x", created_at_ms: "soon" }, message],
    newer: [{ type: "session_meta", version: 99, session_id: "x", created_at_ms: 5 }],
    empty: [],
  };
  for (const [id, records] of Object.entries(files)) {
    writeFileSync(join(sessions, `${id}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
  writeFileSync(join(sessions, "broken.jsonl"), "{\n");
  return cwd;
}

const ids = ["good", "far-future", "odd-time", "newer", "empty", "broken", "folder", "link", "none", "../x"];

const calls: readonly (readonly [VerbName, JsonObject])[] = [
  ["completion", { shell: "bash" }],
  ["completion", { shell: "zsh" }],
  ["completion", { shell: "fish" }],
  ["config", {}],
  ["config", { section: "model" }],
  ["config", { section: "modle" }],
  ["doctor", {}],
  ["help", {}],
  ["help", { topic: "export" }],
  ["help", { topic: "exprot" }],
  ["init", {}],
  ["init", { dryRun: true }],
  ["list-sessions", {}],
  ["list-sessions", { limit: 2 }],
  ["list-sessions", { cursor: "none" }],
  ["manifest", {}],
  ["schema", {}],
  ["schema", { name: "status.output" }],
  ["schema", { name: "nope" }],
  ["status", {}],
  ["status", { model: "no model" }],
  ["version", {}],
  ["flush-transcript", {}],
  ["flush-transcript", { prompt: "hello" }],
  ["flush-transcript", { prompt: "hello", dryRun: true }],
  ["export", { path: "" }],
  ["export", { path: "no/such/folder/x.md" }],
  ["export", { path: "." }],
  ...ids.flatMap((id): (readonly [VerbName, JsonObject])[] => [
    ["load-session", { sessionId: id }],
    ["export", { session: id }],
    ["export", { session: id, format: "json", uncommitted: true }],
    ["export", { session: id, path: "out.md" }],
    ["flush-transcript", { sessionId: id }],
    ["flush-transcript", { sessionId: id, prompt: "more", dryRun: true }],
    ["flush-transcript", { sessionId: id, prompt: "more" }],
    ["delete-session", { sessionId: id, dryRun: true }],
    ["delete-session", { sessionId: id }],
  ]),
];

test.each(calls)("%s %j answers and fails only as its contract says", async (verb, input) => {
  const cwd = prepare();
  const outcome = await callVerb(verb, input, createTestPorts(cwd));
  expect(["data", "failure"]).toContain(outcome.kind);
});
