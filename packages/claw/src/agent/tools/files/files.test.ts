import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Tool } from "../tool.ts";
import { openBench, parsed } from "../testing/tool-bench.ts";

const open = () => openBench(onTestFinished, {});

describe("read_file", () => {
  test("gives lines with their numbers, and some of them when asked", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "a"), "1\r\n2\n3");
    expect(parsed(await bench.run("Read", { file_path: "a" }))).toEqual({
      type: "text",
      file: { filePath: join(bench.root, "a"), content: "1\n2\n3", numLines: 3, startLine: 1, totalLines: 3 },
    });
    expect(parsed(await bench.run("read_file", { path: "a", offset: 1, limit: 1 }))).toMatchObject({
      file: { content: "2", numLines: 1, startLine: 2, totalLines: 3 },
    });
    expect(parsed(await bench.run("read_file", { path: "a", offset: 9 }))).toMatchObject({ file: { numLines: 0 } });
  });

  test("cuts long lines and many lines", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "a"), `${"x".repeat(1_000_000)}\n${"y\n".repeat(100_000)}`);
    const output = await bench.run("read_file", { path: "a" });
    expect(output.output.length).toBeLessThan(100_000);
    expect(parsed(output)).toMatchObject({ file: { totalLines: 100_001, numLines: 2000 } });
  });

  test("refuses what is binary, too large, no text, a folder, a pipe, or not there", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "binary"), Buffer.from([1, 0, 2]));
    writeFileSync(join(bench.root, "latin"), Buffer.from([0x61, 0xe9]));
    writeFileSync(join(bench.root, "large"), Buffer.alloc(11 * 1024 * 1024, 0x61));
    spawnSync("mkfifo", [join(bench.root, "pipe")]);
    for (const path of ["binary", "latin", "large", ".", "pipe", "absent", "binary/x"]) {
      expect(await bench.run("read_file", { path })).toMatchObject({ isError: true });
    }
  });
});

describe("write_file", () => {
  test("makes files and folders, and says what it did", async () => {
    const bench = open();
    const made = await bench.run("write_file", { path: "a/b/c", content: "x\n" });
    expect(parsed(made)).toMatchObject({ type: "create", originalFile: null, content: "x\n", structuredPatch: [] });
    const changed = await bench.run("write_file", { path: "a/b/c", content: "y\n" });
    expect(parsed(changed)).toMatchObject({
      type: "update",
      originalFile: "x\n",
      structuredPatch: [{ lines: ["-x", "+y"] }],
    });
    expect(readFileSync(join(bench.root, "a/b/c"), "utf8")).toBe("y\n");
    expect(readdirSync(join(bench.root, "a/b"))).toEqual(["c"]);
  });

  test("keeps the mode of a file, and replaces a binary one", async () => {
    const bench = open();
    const path = join(bench.root, "run");
    writeFileSync(path, Buffer.from([0, 1]));
    chmodSync(path, 0o751);
    expect((await bench.run("write_file", { path: "run", content: "x" })).isError).toBe(false);
    expect([statSync(path).mode & 0o777, readFileSync(path, "utf8")]).toEqual([0o751, "x"]);
  });

  test("does not write over what somebody changed since it was read", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "a"), "1");
    await bench.run("read_file", { path: "a" });
    writeFileSync(join(bench.root, "a"), "2");
    expect(await bench.run("write_file", { path: "a", content: "3" })).toMatchObject({ isError: true });
    expect(await bench.run("edit_file", { path: "a", old_string: "2", new_string: "3" })).toMatchObject({
      isError: true,
    });
    await bench.run("read_file", { path: "a" });
    expect(await bench.run("write_file", { path: "a", content: "3" })).toMatchObject({ isError: false });
    expect(await bench.run("edit_file", { path: "a", old_string: "3", new_string: "4" })).toMatchObject({
      isError: false,
    });
  });

  test("refuses a folder, a pipe, and a path through a file", async () => {
    const bench = open();
    mkdirSync(join(bench.root, "folder"));
    writeFileSync(join(bench.root, "file"), "x");
    for (const path of ["folder", "file/x", "."]) {
      expect(await bench.run("write_file", { path, content: "x" })).toMatchObject({ isError: true });
    }
  });

  test("writes where a link in the workspace leads, and leaves the link", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "real"), "x");
    symlinkSync("real", join(bench.root, "link"));
    expect((await bench.run("write_file", { path: "link", content: "y" })).isError).toBe(false);
    expect(readFileSync(join(bench.root, "real"), "utf8")).toBe("y");
    expect(readlinkSync(join(bench.root, "link"))).toBe("real");
  });

  test("leaves the other name of a file with two hard links as it was", async () => {
    const bench = open();
    writeFileSync(join(bench.outside, "other"), "1");
    linkSync(join(bench.outside, "other"), join(bench.root, "own"));
    expect((await bench.run("edit_file", { path: "own", old_string: "1", new_string: "2" })).isError).toBe(false);
    linkSync(join(bench.outside, "other"), join(bench.root, "second"));
    expect((await bench.run("write_file", { path: "second", content: "3" })).isError).toBe(false);
    const read = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");
    expect([read(bench.root, "own"), read(bench.root, "second"), read(bench.outside, "other")]).toEqual([
      "2",
      "3",
      "1",
    ]);
  });

  test("shows beforehand what it would change, and changes nothing by that", async () => {
    const bench = open();
    writeFileSync(join(bench.root, "a"), "1\n");
    const tool = bench.tools.find(({ name }) => name === "write_file") as unknown as Tool<unknown>;
    const preview = await tool.preview?.({ path: "a", content: "2\n" });
    expect(preview?.diff).toContain("-1\n+2\n");
    expect(readFileSync(join(bench.root, "a"), "utf8")).toBe("1\n");
  });
});

describe("edit_file", () => {
  const edit = async (text: string, input: Record<string, unknown>): Promise<[isError: boolean, text: string]> => {
    const bench = open();
    writeFileSync(join(bench.root, "a"), text);
    const { isError } = await bench.run("Edit", { file_path: "a", ...input });
    return [isError, readFileSync(join(bench.root, "a"), "utf8")];
  };

  test.each([
    ["once", "a b c", { old_string: "b", new_string: "x" }, "a x c"],
    ["everywhere when asked", "b b b", { oldString: "b", newString: "x", replaceAll: true }, "x x x"],
    ["with signs that mean something elsewhere", "a b", { old_string: "b", new_string: "$& $1 \\n" }, "a $& $1 \\n"],
    ["and keeps CR LF", "a\r\nb\r\nc", { old_string: "a\nb", new_string: "x\ny" }, "x\r\ny\r\nc"],
    ["and keeps mixed ends as they are", "a\r\nb\nc", { old_string: "b\nc", new_string: "x\ny" }, "a\r\nx\ny"],
    ["and keeps a byte order mark and a missing last end", "\ufeffa", { old_string: "a", new_string: "b" }, "\ufeffb"],
    ["down to nothing", "a", { old_string: "a", new_string: "" }, ""],
  ])("replaces %s", async (_, text, input, expected) => {
    expect(await edit(text, input)).toEqual([false, expected]);
  });

  test.each([
    ["what is not there", "a", { old_string: "b", new_string: "x" }],
    ["what is there twice", "a a", { old_string: "a", new_string: "x" }],
    ["a text by itself", "a", { old_string: "a", new_string: "a" }],
    ["nothing", "a", { old_string: "", new_string: "x" }],
  ])("refuses to replace %s", async (_, text, input) => {
    expect(await edit(text, input)).toEqual([true, text]);
  });

  test("refuses a file that is not there", async () => {
    const bench = open();
    expect(await bench.run("edit_file", { path: "x", old_string: "a", new_string: "b" })).toMatchObject({
      isError: true,
    });
    expect(existsSync(join(bench.root, "x"))).toBe(false);
  });
});

describe("todo_write", () => {
  test("replaces the list and answers with both", async () => {
    const bench = open();
    const item = { content: "Do it", activeForm: "Doing it", status: "pending" };
    expect(parsed(await bench.run("TodoWrite", { todos: [item] }))).toMatchObject({ oldTodos: [], newTodos: [item] });
    expect(parsed(await bench.run("todo_write", { todos: [] }))).toMatchObject({ oldTodos: [item], newTodos: [] });
  });
});
