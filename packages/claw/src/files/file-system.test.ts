import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { testFileSystems } from "./file-system.conformance.ts";
import { createFaultyFileSystem } from "./testing/faulty-file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

testFileSystems();

describe("the faulty twin", () => {
  test("fails one call, and a write that fails may have stored a part", () => {
    const path = join(temporaryFolder(onTestFinished), "a");
    const fd = openSync(path, "w");
    const { fs, calls } = createFaultyFileSystem({ at: 0, errno: "ENOSPC" });
    expect(() => fs.writeSync(fd, Buffer.from("abcdef"))).toThrow(expect.objectContaining({ code: "ENOSPC" }));
    fs.writeSync(fd, Buffer.from("!"));
    closeSync(fd);
    expect([readFileSync(path, "utf8"), calls]).toEqual(["abc!", ["writeSync", "writeSync"]]);
  });

  test("can store half of a write and say so", () => {
    const path = join(temporaryFolder(onTestFinished), "a");
    const fd = openSync(path, "w");
    const { fs } = createFaultyFileSystem({ at: 0, errno: "SHORT" });
    expect(fs.writeSync(fd, Buffer.from("abcdef"), 2)).toBe(2);
    closeSync(fd);
    expect(readFileSync(path, "utf8")).toBe("cd");
  });
});
