import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openBench, parsed } from "../testing/tool-bench.ts";
import type { Bench, BenchOptions } from "../testing/tool-bench.ts";

function open(options: BenchOptions = {}): Bench {
  const bench = openBench(onTestFinished, options);
  for (const folder of ["src/deep", "build", ".hidden", ".git"]) {
    mkdirSync(join(bench.root, folder), { recursive: true });
  }
  const files = {
    "src/a.ts": "one\ntwo\nthree\n",
    "src/deep/b.ts": "Two two\n",
    "build/c.ts": "two\n",
    ".hidden/d.ts": "two\n",
    ".git/e.ts": "two\n",
    "f.md": "two\n",
    "src/log.txt": "two\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(bench.root, name), text);
  writeFileSync(join(bench.root, ".gitignore"), "build/\n*.txt\n");
  return bench;
}

describe("glob_search", () => {
  test.each([
    ["**/*.ts", [".hidden/d.ts", "src/a.ts", "src/deep/b.ts"]],
    ["*.ts", [".hidden/d.ts", "src/a.ts", "src/deep/b.ts"]],
    ["src/*.ts", ["src/a.ts"]],
    ["./src/**", ["src/a.ts", "src/deep/b.ts"]],
    ["*.{md,ts}", [".hidden/d.ts", "f.md", "src/a.ts", "src/deep/b.ts"]],
    ["?.md", ["f.md"]],
    ["--files", []],
    ["!*.ts", []],
    ["[", []],
  ])("finds %s, without what git ignores", async (pattern, expected) => {
    const { filenames } = parsed(await open().run("Glob", { pattern })) as { filenames: string[] };
    expect(filenames.toSorted()).toEqual(expected);
  });

  test("gives the newest first, and says when there are more", async () => {
    const bench = open();
    mkdirSync(join(bench.root, "many"));
    for (let index = 0; index < 150; index += 1) {
      writeFileSync(join(bench.root, "many", `${index}.x`), "");
      utimesSync(join(bench.root, "many", `${index}.x`), index, index);
    }
    const found = parsed(await bench.run("glob_search", { pattern: "*.x", path: "many" }));
    expect(found).toMatchObject({ numFiles: 100, truncated: true, filenames: expect.arrayContaining(["many/149.x"]) });
    expect((found["filenames"] as string[])[0]).toBe("many/149.x");
  });

  test.each(["../*", "/etc/*", "a/../../x"])("refuses a pattern that leads out: %s", async (pattern) => {
    expect(await open().run("glob_search", { pattern })).toMatchObject({ isError: true });
  });
});

describe("grep_search", () => {
  test("gives names, lines or counts", async () => {
    const bench = open();
    expect(parsed(await bench.run("Grep", { pattern: "two" }))).toMatchObject({
      mode: "files_with_matches",
      numFiles: 4,
      filenames: [".hidden/d.ts", "f.md", "src/a.ts", "src/deep/b.ts"],
    });
    const lines = { pattern: "two", path: "src", output_mode: "content", "-C": 1, "-i": true };
    expect(parsed(await bench.run("grep_search", lines))).toMatchObject({
      content: "src/a.ts:1-one\nsrc/a.ts:2:two\nsrc/a.ts:3-three\n--\nsrc/deep/b.ts:1:Two two",
      numLines: 5,
      numMatches: 2,
    });
    expect(parsed(await bench.run("grep_search", { pattern: "two", output_mode: "count" }))).toMatchObject({
      content: ".hidden/d.ts:1\nf.md:1\nsrc/a.ts:1\nsrc/deep/b.ts:1",
      numMatches: 4,
    });
  });

  test("keeps to names, types, and single files", async () => {
    const bench = open();
    const names = async (input: object): Promise<unknown> =>
      parsed(await bench.run("grep_search", { pattern: "two", ...input }))["filenames"];
    expect(await names({ glob: "*.md" })).toEqual(["f.md"]);
    expect(await names({ glob: "*.txt" })).toEqual([]);
    expect(await names({ glob: "src/*.ts" })).toEqual(["src/a.ts"]);
    expect(await names({ type: "ts", path: "src" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await names({ path: "src/a.ts" })).toEqual(["src/a.ts"]);
  });

  test("stops at its limit, goes on from an offset, and finds across lines", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "long"), "hit\n".repeat(10_000));
    const all = { pattern: "hit", output_mode: "content", path: "long" };
    expect(parsed(await bench.run("grep_search", all))).toMatchObject({
      numLines: 250,
      truncated: true,
      appliedLimit: 250,
    });
    const page = parsed(await bench.run("grep_search", { ...all, head_limit: 1, offset: 3 }));
    expect(page).toMatchObject({ content: "long:4:hit", appliedOffset: 3 });
    const across = { pattern: "one.two", multiline: true };
    expect(parsed(await bench.run("grep_search", across))).toMatchObject({ filenames: ["src/a.ts"] });
  });

  test("searches more files than it keeps open at once, in the order of their paths", async () => {
    const bench = open();
    mkdirSync(join(bench.root, "many"));
    const names = Array.from({ length: 300 }, (_, index) => `many/${String(index).padStart(3, "0")}`);
    for (const name of names) writeFileSync(join(bench.root, name), `needle in ${name}\n`);
    const all = { pattern: "needle", path: "many", head_limit: 300 };
    expect(parsed(await bench.run("grep_search", all))).toMatchObject({ filenames: names, truncated: false });
    const content = { ...all, output_mode: "content", offset: 298 };
    expect(parsed(await bench.run("grep_search", content))).toMatchObject({
      content: "many/298:1:needle in many/298\nmany/299:1:needle in many/299",
      truncated: false,
    });
    const some = { ...all, head_limit: 299 };
    expect(parsed(await bench.run("grep_search", some))).toMatchObject({ numFiles: 299, truncated: true });
  });

  test.each(["--pre=touch", "-f/etc/passwd", "--files", "-e"])("takes no pattern for a flag: %s", async (pattern) => {
    expect(parsed(await open().run("grep_search", { pattern }))).toMatchObject({ numFiles: 0 });
  });

  test.each([
    { pattern: "(" },
    { pattern: "x", type: "nonsense" },
    { pattern: "a\0b" },
    { pattern: "x", path: "absent" },
  ])("says what is wrong with %o", async (input) => {
    expect(await open().run("grep_search", input)).toMatchObject({ isError: true });
  });

  test("leaves out what git and claw store for themselves, unless it is asked for that", async () => {
    const bench = open();
    const kept = [".claw/skill.md", ".claw/sessions/s.jsonl", ".claw/idempotency/k.json", "src/.claw/sessions/t.jsonl"];
    for (const path of [...kept, ".claws/log/1.jsonl"]) {
      mkdirSync(join(bench.root, dirname(path)), { recursive: true });
      writeFileSync(join(bench.root, path), "thirteen\n");
    }
    writeFileSync(join(bench.root, ".git/f.ts"), "thirteen\n");
    const names = async (input: object): Promise<unknown> =>
      parsed(await bench.run("grep_search", { pattern: "thirteen", ...input }))["filenames"];
    expect(await names({})).toEqual([".claw/skill.md"]);
    expect(await names({ glob: "**/*" })).toEqual([".claw/skill.md"]);
    expect(await names({ path: ".claw/sessions" })).toEqual([".claw/sessions/s.jsonl"]);
    expect(bench.judge("grep_search", { pattern: "thirteen", path: ".claws" }).decision).toBe("deny");
    const found = parsed(await bench.run("glob_search", { pattern: "*.{jsonl,json,md}" }));
    expect((found["filenames"] as string[]).toSorted()).toEqual([".claw/skill.md", "f.md"]);
  });

  test("leaves out what may not be read", async () => {
    const bench = open({ rules: { deny: ["Read(src/deep/**)"] } });
    const found = await bench.call("grep_search", { pattern: "two", output_mode: "content" });
    const named = await bench.call("glob_search", { pattern: "*.ts" });
    expect(JSON.stringify([found, named])).toContain("src/a.ts");
    expect(JSON.stringify([found, named])).not.toContain("deep");
  });

  test("rejects with the reason when it is cancelled", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(open().run("grep_search", { pattern: "x" }, signal)).rejects.toThrow("enough");
  });
});
