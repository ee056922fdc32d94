import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock } from "../../files/index.ts";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createSessionStore } from "../../sessions/index.ts";
import { callVerb } from "../runtime/handle.conformance.ts";
import { createTestPorts } from "../testing/test-ports.ts";

const LINE = '{"type":"message","message":{"role":"user","blocks":[]}}\n';

/** Sessions s0, s1, … each a second newer than the one before. */
function folderWith(count: number): string {
  const cwd = temporaryFolder(onTestFinished);
  const folder = join(cwd, ".claw", "sessions");
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const path = join(folder, `s${index}.jsonl`);
    writeFileSync(path, LINE);
    utimesSync(path, 1000 + index, 1000 + index);
  }
  return cwd;
}

interface Page {
  readonly sessions: readonly { readonly id: string }[];
  readonly sessions_count: number;
  readonly total_count: number;
}

async function list(cwd: string, input: object, more: Parameters<typeof createTestPorts>[1] = {}) {
  const outcome = await callVerb("list-sessions", { ...input }, createTestPorts(cwd, more));
  if (outcome.kind !== "data") throw new Error(`it answered ${outcome.kind}`);
  const data = outcome.data as unknown as Page;
  return { ids: data.sessions.map((session) => session.id), data, notes: outcome.notes };
}

describe("a listing", () => {
  test("says the same in the words of both kinds of readers", async () => {
    const cwd = folderWith(1);
    const { data } = await list(cwd, {});
    expect(data).toEqual({
      directory: ".claw/sessions",
      sessions_count: 1,
      total_count: 1,
      sessions: [
        {
          session_id: "s0",
          id: "s0",
          path: join(cwd, ".claw", "sessions", "s0.jsonl"),
          created_at: "1970-01-01T00:16:40.000Z",
          last_modified: "1970-01-01T00:16:40.000Z",
          updated_at_ms: 1_000_000,
          prompt_count: 1,
          message_count: 1,
          stopped: true,
        },
      ],
    });
  });

  test("in pages shows every session once, the newest first", async () => {
    const cwd = folderWith(5);
    const seen: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(cwd, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      expect([page.data.sessions_count, page.data.total_count]).toEqual([page.ids.length, 5]);
      seen.push(page.ids);
      cursor = page.notes.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([["s4", "s3"], ["s2", "s1"], ["s0"]]);
  });

  test("that is as long as its page has no next one", async () => {
    const { notes } = await list(folderWith(2), { limit: 2 });
    expect([notes.cursor, notes.truncated]).toEqual([undefined, undefined]);
  });

  test("names a session that somebody writes to", async () => {
    const cwd = folderWith(1);
    const { signal, files } = createTestPorts(cwd);
    await acquireLock(files, { path: join(cwd, ".claw", "sessions", "s0.lock"), waitMs: 0 }, signal);
    expect((await list(cwd, {})).data.sessions).toMatchObject([{ stopped: false }]);
  });

  test("shows a session that cannot be read, without counts and with a warning", async () => {
    const cwd = folderWith(2);
    const { fs } = createFaultyFileSystem({ at: 5, errno: "EACCES" });
    const { data, notes } = await list(cwd, {}, { sessions: createSessionStore(fs, { cwd }) });
    expect(data.sessions).toMatchObject([
      { id: "s1", message_count: null },
      { id: "s0", message_count: 1 },
    ]);
    expect(notes.warnings).toEqual([expect.stringMatching(/^FILE_ACCESS_DENIED: /)]);
  });
});

describe("an etag", () => {
  test("stays while nothing changes, and saves the answer", async () => {
    const cwd = folderWith(2);
    const { notes } = await list(cwd, {});
    const again = await callVerb("list-sessions", { ifNoneMatch: notes.etag }, createTestPorts(cwd));
    expect(again).toEqual({ kind: "not-modified", notes });
    writeFileSync(join(cwd, ".claw", "sessions", "s2.jsonl"), LINE);
    const changed = await callVerb("list-sessions", { ifNoneMatch: notes.etag }, createTestPorts(cwd));
    expect(changed.kind).toBe("data");
  });
});
