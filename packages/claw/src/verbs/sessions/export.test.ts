import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "claw-contract";
import { createRedactor } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { callVerb } from "../runtime/handle.conformance.ts";
import { createTestPorts } from "../testing/test-ports.ts";

const message = (text: string, turn_id?: string) => ({
  type: "message",
  ...(turn_id === undefined ? {} : { turn_id }),
  message: { role: "user", blocks: [{ type: "text", text }] },
});

function folderWith(records: readonly object[]): string {
  const cwd = temporaryFolder(onTestFinished);
  mkdirSync(join(cwd, ".claw", "sessions"), { recursive: true });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(join(cwd, ".claw", "sessions", "s.jsonl"), text);
  return cwd;
}

async function exported(cwd: string, input: JsonObject, ports = createTestPorts(cwd)): Promise<JsonObject | string> {
  const outcome = await callVerb("export", input, ports);
  if (outcome.kind === "failure") return outcome.code;
  return outcome.kind === "data" ? outcome.data : outcome.kind;
}

describe("an export", () => {
  test("without a file is in the answer", async () => {
    const cwd = folderWith([message("hi")]);
    expect(await exported(cwd, {})).toEqual({
      session_id: "s",
      format: "markdown",
      messages: 1,
      file: null,
      markdown: "# Session s\n\n## User\n\nhi\n",
      effect: "noop",
    });
  });

  test("leaves out turns that never ended, unless asked for them", async () => {
    const cwd = folderWith([message("told"), message("lost", "t1")]);
    const [without, withThem] = [await exported(cwd, {}), await exported(cwd, { uncommitted: true })];
    expect([without, withThem]).toEqual([
      expect.objectContaining({ messages: 1, markdown: expect.not.stringContaining("lost") as string }),
      expect.objectContaining({ messages: 2, markdown: expect.stringContaining("lost") as string }),
    ]);
  });

  test("to a file that exists needs consent", async () => {
    const cwd = folderWith([message("hi")]);
    writeFileSync(join(cwd, "out.md"), "mine");
    expect(await exported(cwd, { path: "out.md" })).toBe("CONFIRMATION_REQUIRED");
    expect(readFileSync(join(cwd, "out.md"), "utf8")).toBe("mine");
    expect(await exported(cwd, { path: "out.md", yes: true })).toMatchObject({ effect: "updated", messages: 1 });
    expect(readFileSync(join(cwd, "out.md"), "utf8")).toContain("# Session s");
  });

  test("that is too large for an answer goes to a file of the folder", async () => {
    const cwd = folderWith([message("x".repeat(5000))]);
    const ports = createTestPorts(cwd, { maxAnswerBytes: 2000 });
    const file = join(cwd, ".claw", "exports", "s.md");
    expect(await exported(cwd, {}, ports)).toMatchObject({ file, effect: "created" });
    expect([ports.notes.notes().truncated, readFileSync(file, "utf8").length > 5000]).toEqual([true, true]);
  });

  test("to a disk that fails leaves no half of a file", async () => {
    const cwd = folderWith([message("hi")]);
    for (let at = 0; ; at += 1) {
      const { fs: files, calls } = createFaultyFileSystem({ at, errno: "ENOSPC" });
      const outcome = await exported(cwd, { path: "out.md", yes: true }, createTestPorts(cwd, { files }));
      if (calls.length <= at) break;
      const names = readdirSync(cwd).filter((name) => name !== ".claw");
      expect([at, calls[at]?.replace(cwd, ""), outcome, names.filter((name) => name !== "out.md")]).toEqual([
        at,
        calls[at]?.replace(cwd, ""),
        "DISK_FULL",
        [],
      ]);
    }
  });
});

describe("secrets", () => {
  const SECRET = "hunter2-hunter2";
  const redactor = createRedactor({ secrets: [SECRET] });

  test("are masked in every form", async () => {
    const cwd = folderWith([message(`it is ${SECRET}`)]);
    for (const format of ["markdown", "json"]) {
      const answer = await exported(cwd, { format }, createTestPorts(cwd, { redactor }));
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    }
  });

  test("and what looks like them never break the JSON of an export", async () => {
    const piece = fc.constantFrom(
      "password=",
      "API_KEY=",
      "token: ",
      '"',
      "'",
      "\\",
      "\n",
      "abc123DEF456",
      "}",
      ",",
      " ",
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), async (texts) => {
        const cwd = folderWith(texts.map((each) => message(each)));
        await exported(cwd, { format: "json", path: "out.json" });
        const records = JSON.parse(readFileSync(join(cwd, "out.json"), "utf8")) as unknown[];
        expect(records.length).toBe(texts.length);
      }),
      { numRuns: 40 },
    );
  });
});
