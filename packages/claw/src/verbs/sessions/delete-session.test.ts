import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { callVerb } from "../runtime/handle.conformance.ts";
import { createTestPorts } from "../testing/test-ports.ts";

function prepare(): { cwd: string; path: string } {
  const cwd = temporaryFolder(onTestFinished);
  const path = join(cwd, ".claw", "sessions", "s.jsonl");
  mkdirSync(join(cwd, ".claw", "sessions"), { recursive: true });
  writeFileSync(path, "");
  return { cwd, path };
}

const answer = {
  session_id: "s",
  directory: ".claw/sessions",
  path: ".claw/sessions/s.jsonl",
};

test("a session is deleted by id, by path or by the word for the newest", async () => {
  for (const sessionId of ["s", ".claw/sessions/s.jsonl", "latest"]) {
    const { cwd, path } = prepare();
    const outcome = await callVerb("delete-session", { sessionId }, createTestPorts(cwd));
    const data = { ...answer, deleted: true, status: "deleted", effect: "deleted" };
    expect([outcome, existsSync(path)]).toEqual([{ kind: "data", data, notes: { warnings: [] } }, false]);
  }
});

test("a dry run says what would go and deletes nothing", async () => {
  const { cwd, path } = prepare();
  const outcome = await callVerb("delete-session", { sessionId: "s", dryRun: true }, createTestPorts(cwd));
  const data = { ...answer, deleted: false, status: "would_delete", effect: "would_delete", would_affect: [path] };
  expect([outcome, existsSync(path)]).toEqual([{ kind: "data", data, notes: { warnings: [] } }, true]);
});

test("what is not there is not deleted, and the failure says so", async () => {
  const { cwd } = prepare();
  for (const dryRun of [false, true]) {
    const outcome = await callVerb("delete-session", { sessionId: "none", dryRun }, createTestPorts(cwd));
    expect(outcome).toMatchObject({
      code: "SESSION_NOT_FOUND",
      error: { options: { partial: { session_id: "none", deleted: false, status: "not_found" } } },
    });
  }
});

test("a repeated call with the same key answers as the first did", async () => {
  const { cwd } = prepare();
  const input = { sessionId: "s", idempotencyKey: "k" };
  await callVerb("delete-session", input, createTestPorts(cwd));
  expect(await callVerb("delete-session", input, createTestPorts(cwd))).toMatchObject({
    kind: "data",
    data: { deleted: true, effect: "noop" },
  });
});
