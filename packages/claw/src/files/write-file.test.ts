import { existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { errnoOf } from "./file-error.ts";
import { nodeFileSystem } from "./file-system.ts";
import type { Fault } from "./testing/faulty-file-system.ts";
import { createFaultyFileSystem } from "./testing/faulty-file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { createAtomicFile, PRIVATE_FILE, writeFileAtomically } from "./write-file.ts";

const fs = nodeFileSystem;

describe("an atomic file", () => {
  test("appears with all that was written, private, once it is committed", () => {
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, "a.json");
    const file = createAtomicFile(fs, path);
    file.write("one ");
    file.write("two ✓");
    expect(existsSync(path)).toBe(false);
    file.commit();
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
      "one two ✓",
      PRIVATE_FILE,
      ["a.json"],
    ]);
  });

  test("leaves nothing when it is discarded, and the old file as it was", () => {
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, "a.json");
    writeFileSync(path, "old");
    const file = createAtomicFile(fs, path);
    file.write("new");
    file.discard();
    file.discard();
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["old", ["a.json"]]);
  });

  test("stays when it is discarded after the commit", () => {
    const path = join(temporaryFolder(onTestFinished), "a.json");
    const file = createAtomicFile(fs, path);
    file.write("new");
    file.commit();
    file.discard();
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  test("refuses to replace a file when it must be the first, and leaves no other behind", () => {
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, "a.json");
    writeFileSync(path, "old");
    expect(() => writeFileAtomically(fs, path, "new", { exclusive: true })).toThrow(
      expect.objectContaining({ code: "EEXIST" }),
    );
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["old", ["a.json"]]);
  });

  test("is the first file when there is none", () => {
    const folder = temporaryFolder(onTestFinished);
    writeFileAtomically(fs, join(folder, "a.json"), "new", { exclusive: true, mode: 0o644 });
    expect([readdirSync(folder), statSync(join(folder, "a.json")).mode & 0o777]).toEqual([["a.json"], 0o644]);
  });

  test("is not disturbed by what a process that died left behind", () => {
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, "a.json");
    const abandoned = createAtomicFile(fs, path);
    abandoned.write("half");
    writeFileAtomically(fs, path, "whole");
    expect(readFileSync(path, "utf8")).toBe("whole");
    abandoned.discard();
    expect(readdirSync(folder)).toEqual(["a.json"]);
  });

  test("replaces a name, not what other names of the old file show", () => {
    const folder = temporaryFolder(onTestFinished);
    const [path, other] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(path, "old");
    linkSync(path, other);
    writeFileAtomically(fs, path, "new");
    expect([readFileSync(path, "utf8"), readFileSync(other, "utf8")]).toEqual(["new", "old"]);
  });

  test("holds any text byte for byte", () => {
    const path = join(temporaryFolder(onTestFinished), "a");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        writeFileAtomically(fs, path, text);
        expect(readFileSync(path).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});

describe("a disk that fails", () => {
  const NEW = "new ".repeat(50);

  /** One write with the given fault, into a folder with or without an old file. */
  function attempt(fault: Fault, options: { old?: string; exclusive: boolean }) {
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, "a.json");
    if (options.old !== undefined) writeFileSync(path, options.old);
    const { fs: faulty, calls } = createFaultyFileSystem(fault);
    let error: unknown;
    try {
      writeFileAtomically(faulty, path, NEW, { exclusive: options.exclusive });
    } catch (thrown) {
      error = thrown;
    }
    return {
      text: existsSync(path) ? readFileSync(path, "utf8") : undefined,
      leftovers: readdirSync(folder).filter((name) => name !== "a.json"),
      error: error === undefined ? undefined : errnoOf(error),
      reached: calls.length > fault.at,
      call: calls[fault.at]?.split(" ")[0],
    };
  }

  const cases = [
    { title: "over an old file", old: "old", exclusive: false },
    { title: "where nothing stands", exclusive: false },
    { title: "as the first file", exclusive: true },
  ];

  test.each(cases)("at any moment leaves the old file or the whole new one $title, and nothing beside it", (given) => {
    const wrong: unknown[] = [];
    for (const errno of ["ENOSPC", "EIO", "SHORT"] as const) {
      for (let at = 0; ; at += 1) {
        const after = attempt({ at, errno }, given);
        if (!after.reached) break;
        const whole = after.text === NEW || (errno !== "SHORT" && after.text === given.old);
        // Removing the temporary file is tried again, so its failure is nobody's concern.
        const silent = errno === "SHORT" || after.call === "unlinkSync";
        const said = after.error === (silent ? undefined : errno);
        if (!whole || !said || after.leftovers.length > 0) wrong.push({ at, errno, ...after });
      }
    }
    expect(wrong).toEqual([]);
  });
});
