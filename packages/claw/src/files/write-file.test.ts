import { existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { errnoOf } from "./file-error.ts";
import { nodeFileSystem } from "./file-system.ts";
import type { Fault } from "./testing/faulty-file-system.ts";
import { createFaultyFileSystem } from "./testing/faulty-file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { createAtomicFile, PRIVATE_FILE, randomSuffix, writeFileAtomically } from "./write-file.ts";

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

describe("the calls of an atomic file", () => {
  /** A file that is being written, and the calls made so far, with its folder and its temporary name in short. */
  function scene(fault?: Fault) {
    const folder = temporaryFolder(onTestFinished);
    const path = join(folder, "a.json");
    const { fs: watched, calls } = createFaultyFileSystem(fault);
    const said = () => calls.map((call) => call.replace(/\.a\.json\.\d+-\w+\.tmp$/, "NEW").replace(folder, "FOLDER"));
    return { folder, path, watched, said, file: createAtomicFile(watched, path) };
  }
  const SYNC_FOLDER = ["openSync FOLDER", "fsyncSync", "closeSync"];

  test("sync the file before it takes its place, and the folder before the commit returns", () => {
    const { file, said } = scene();
    file.write("text");
    file.commit();
    file.discard();
    const written = ["openSync FOLDER/NEW", "writeSync", "fsyncSync", "closeSync"];
    expect(said()).toEqual([...written, "renameSync FOLDER/NEW", ...SYNC_FOLDER]);
  });

  test("sync the file alone when a power cut may bring the old one back", () => {
    const { file, said } = scene();
    file.commit({ syncName: false });
    file.discard();
    expect(said()).toEqual(["openSync FOLDER/NEW", "fsyncSync", "closeSync", "renameSync FOLDER/NEW"]);
  });

  test("do the same for a first file, and remove its temporary name last", () => {
    const { file, said } = scene();
    file.commit({ exclusive: true });
    file.discard();
    file.discard();
    const placed = ["openSync FOLDER/NEW", "fsyncSync", "closeSync", "linkSync FOLDER/NEW"];
    expect(said()).toEqual([...placed, ...SYNC_FOLDER, "unlinkSync FOLDER/NEW"]);
  });

  test("close and remove what is discarded, once", () => {
    const { file, said } = scene();
    file.discard();
    file.discard();
    expect(said()).toEqual(["openSync FOLDER/NEW", "closeSync", "unlinkSync FOLDER/NEW"]);
  });

  test("try a removal that a disk refuses twice, and no more", () => {
    const { file, said, folder } = scene({ at: 2, calls: 2, errno: "EIO" });
    file.discard();
    expect([said().slice(2), readdirSync(folder)]).toEqual([
      ["unlinkSync FOLDER/NEW", "unlinkSync FOLDER/NEW"],
      [expect.stringMatching(/^\.a\.json\..*\.tmp$/)],
    ]);
  });

  test("hide no mistake that is none of the disk's", () => {
    const mistake = new TypeError("no path");
    const unlinkSync = (): never => {
      throw mistake;
    };
    const file = createAtomicFile({ ...fs, unlinkSync }, join(temporaryFolder(onTestFinished), "a.json"));
    expect(() => file.discard()).toThrow(mistake);
  });

  test("flush what was written so far, and say when the disk refuses", async () => {
    const { file, said } = scene();
    file.write("text");
    await file.flush();
    expect(said().slice(1)).toEqual(["writeSync", "fdatasync"]);
    file.discard();
    const failing = scene({ at: 1, errno: "EIO" }).file;
    await expect(failing.flush()).rejects.toMatchObject({ code: "EIO" });
    failing.discard();
  });
});

test("names that nobody else has are of eight letters and digits at most", () => {
  const names = Array.from({ length: 200 }, randomSuffix);
  expect([names.filter((name) => !/^[0-9a-z]{1,8}$/.test(name)), names.some((name) => name.length === 8)]).toEqual([
    [],
    true,
  ]);
  expect(new Set(names).size).toBe(200);
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
