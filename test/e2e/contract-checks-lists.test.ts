import { existsSync, readFileSync, statSync } from "node:fs";
import { ENVELOPES } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { RunOptions } from "./run-claw.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { SEED_MS, seedSession } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface Page {
  readonly ids: readonly string[];
  readonly sessionsCount: unknown;
  readonly totalCount: unknown;
  readonly truncated: unknown;
  readonly cursor: unknown;
  readonly etag: unknown;
}

function pageOf(data: Record<string, unknown>, notes: Record<string, unknown>): Page {
  return {
    ids: (data["sessions"] as { id: string }[]).map((session) => session.id),
    sessionsCount: data["sessions_count"],
    totalCount: data["total_count"],
    truncated: notes["truncated"],
    cursor: notes["cursor"],
    etag: notes["etag"],
  };
}

type ReadPage = (workspace: Workspace, argv: readonly string[], options?: RunOptions) => Promise<Page>;

/** Where each envelope puts a page and what is said about it. */
const READERS: Readonly<Record<(typeof ENVELOPES)[number], ReadPage>> = {
  claw: async (...call) => {
    const answer = await clawJson(...call);
    return pageOf(answer, answer);
  },
  flat: async (...call) => {
    const answer = await flatJson(...call);
    return pageOf(answer, answer);
  },
  response: async (...call) => {
    const { data, meta } = await responseJson(...call);
    return pageOf(data ?? {}, meta);
  },
};

/** 25 sessions, newest first; some share a moment, so that order needs a second rule. */
function seedMany(workspace: Workspace): string[] {
  const ids = Array.from({ length: 25 }, (_, index) => `s${String(index).padStart(2, "0")}`);
  for (const [index, id] of ids.entries()) seedSession(workspace, id, SEED_MS + Math.floor(index / 4) * 60_000);
  return ids.toReversed();
}

async function walk(read: ReadPage, workspace: Workspace, argv: readonly string[], options?: RunOptions) {
  const pages: Page[] = [];
  for (let cursor: unknown = ""; cursor !== undefined && pages.length < 30; cursor = pages.at(-1)?.cursor) {
    const more = cursor === "" ? [] : ["--cursor", String(cursor)];
    pages.push(await read(workspace, ["list-sessions", ...argv, ...more], options));
  }
  return pages;
}

describe("pages", () => {
  test.each(ENVELOPES)("in the %s envelope, cursors lead through every session once and in order", async (envelope) => {
    const workspace = createWorkspace();
    const newestFirst = seedMany(workspace);
    const pages = await walk(READERS[envelope], workspace, ["--limit", "10"]);
    expect(pages.flatMap((page) => page.ids)).toEqual(newestFirst);
    expect(pages.map(({ ids: _ids, etag: _etag, ...rest }) => rest)).toEqual([
      { sessionsCount: 10, totalCount: 25, truncated: true, cursor: newestFirst[9] },
      { sessionsCount: 10, totalCount: 25, truncated: true, cursor: newestFirst[19] },
      { sessionsCount: 5, totalCount: 25, truncated: undefined, cursor: undefined },
    ]);
  });

  test("a page that ends exactly at the end has no cursor", async () => {
    const workspace = createWorkspace();
    seedMany(workspace);
    const page = await READERS.claw(workspace, ["list-sessions", "--limit", "25"]);
    expect(page).toMatchObject({ sessionsCount: 25, truncated: undefined, cursor: undefined });
  });

  test("a cursor that names nothing is refused", async () => {
    expect(await clawJson(createWorkspace(), ["list-sessions", "--cursor", "gone"])).toMatchObject({
      kind: "invalid_cursor",
      error: { code: "INVALID_CURSOR", target: "gone", retryable: false },
    });
  });
});

describe("etags", () => {
  test("the one just received is answered with not_modified alone, in every envelope", async () => {
    const workspace = createWorkspace();
    seedSession(workspace, "demo");
    const { etag } = await READERS.claw(workspace, ["list-sessions"]);
    const argv = ["list-sessions", "--if-none-match", String(etag)];
    const [claw, flat, response] = await Promise.all([
      clawJson(workspace, argv),
      flatJson(workspace, argv),
      responseJson(workspace, argv),
    ]);
    const { timestamp: _now, ...common } = claw;
    expect(common).toEqual({
      command: "list-sessions",
      exit_code: 0,
      output_format: "json",
      schema_version: "1.0",
      etag,
      not_modified: true,
    });
    expect(flat).toEqual({ etag, not_modified: true });
    expect(response).toMatchObject({ exitCode: 0, ok: true, data: null, error: null });
    expect(response.meta).toMatchObject({ etag, not_modified: true });
  });

  test("a change makes another one, and an old one is answered with data", async () => {
    const workspace = createWorkspace();
    seedSession(workspace, "demo");
    const before = await READERS.claw(workspace, ["list-sessions"]);
    seedSession(workspace, "other");
    const after = await READERS.claw(workspace, ["list-sessions", "--if-none-match", String(before.etag)]);
    expect(after.ids).toEqual(["other", "demo"]);
    expect(after.etag).not.toBe(before.etag);
  });

  test("manifest and schema are known by theirs too", async () => {
    const workspace = createWorkspace();
    const calls = [["manifest"], ["schema"], ["schema", "envelope.claw"]];
    const first = await Promise.all(calls.map((argv) => clawJson(workspace, argv)));
    const again = await Promise.all(
      calls.map((argv, index) => clawJson(workspace, [...argv, "--if-none-match", String(first[index]?.["etag"])])),
    );
    expect(again.map((answer) => answer["not_modified"])).toEqual([true, true, true]);
  });
});

describe("the cap on answers", () => {
  const MAX_BYTES = 4000;
  const inside = ({ home }: Workspace): RunOptions => ({
    env: { CLAW_MAX_OUTPUT_BYTES: String(MAX_BYTES), TMPDIR: home },
  });

  test.each(ENVELOPES)(
    "in the %s envelope, a list is cut with a cursor that goes on behind the cut",
    async (envelope) => {
      const workspace = createWorkspace();
      const newestFirst = seedMany(workspace);
      const pages = await walk(READERS[envelope], workspace, [], inside(workspace));
      expect(pages.flatMap((page) => page.ids)).toEqual(newestFirst);
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.every((page) => page.sessionsCount === page.ids.length && page.totalCount === 25)).toBe(true);
      expect(pages.map((page) => page.truncated)).toEqual([...pages.slice(1).map(() => true), undefined]);
    },
  );

  test("no answer is longer than the cap", async () => {
    const workspace = createWorkspace();
    seedMany(workspace);
    const calls = [["list-sessions"], ["manifest"], ["help"], ["schema"]];
    const answers = await Promise.all(
      calls.map((argv) => runClaw(workspace, [...argv, "--output-format", "json"], inside(workspace))),
    );
    expect(answers.filter(({ stdout }) => Buffer.byteLength(stdout) > MAX_BYTES)).toEqual([]);
  });

  test("what has no pages goes whole into a private file that the answer names", async () => {
    const workspace = createWorkspace();
    const [cut, whole] = await Promise.all([
      clawJson(workspace, ["manifest"], inside(workspace)),
      responseJson(workspace, ["manifest"]),
    ]);
    const file = String(cut["file"]);
    expect(cut).toMatchObject({ truncated: true, warnings: [`ANSWER_TOO_LARGE: the whole answer is in ${file}`] });
    expect(cut).not.toHaveProperty("cursor");
    const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
    expect(stored).toEqual(whole.data);
    expect(VERBS.manifest.output.parse(stored)).toEqual(whole.data);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("an answer that went to a file is known by its etag all the same", async () => {
    const workspace = createWorkspace();
    const { etag } = await clawJson(workspace, ["manifest"], inside(workspace));
    const again = await clawJson(workspace, ["manifest", "--if-none-match", String(etag)], inside(workspace));
    expect(again).toMatchObject({ not_modified: true });
  });

  test("a long export goes to a file in the working folder", async () => {
    const workspace = createWorkspace();
    seedSession(workspace, "long", undefined, ["x".repeat(6000)]);
    const answer = await clawJson(workspace, ["export"], inside(workspace));
    expect(answer).toMatchObject({ truncated: true, messages: 1 });
    expect(existsSync(String(answer["file"]))).toBe(true);
    expect(readFileSync(String(answer["file"]), "utf8")).toContain("x".repeat(6000));
  });

  test("text is for people and is not cut", async () => {
    const workspace = createWorkspace();
    const [capped, free] = await Promise.all(
      [inside(workspace), {}].map((options) => runClaw(workspace, ["manifest"], options)),
    );
    expect(capped).toEqual(free);
    expect(capped?.exitCode).toBe(0);
  });
});
