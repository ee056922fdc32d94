import nodeFs, { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { LineFileSystem } from "./line-file.ts";
import { createLineFile } from "./line-file.ts";

const place = (): string => join(temporaryFolder(onTestFinished), "lines.jsonl");

/** A file system whose calls fail from the given one on. */
function failingFrom(failing: number, code: string): LineFileSystem {
  let calls = 0;
  const count = (): void => {
    calls += 1;
    if (calls >= failing) throw Object.assign(new Error(code), { code });
  };
  return {
    openSync: (...given) => {
      count();
      return nodeFs.openSync(...given);
    },
    writeSync: ((fd: number, bytes: Uint8Array, offset: number) => {
      count();
      // Half of it, as a disk may.
      return nodeFs.writeSync(fd, bytes, offset, Math.ceil((bytes.length - offset) / 2));
    }) as LineFileSystem["writeSync"],
    closeSync: (fd) => {
      count();
      nodeFs.closeSync(fd);
    },
  };
}

test("lines are in the file in their order, and only the owner can read it", () => {
  const path = place();
  const file = createLineFile(path);
  expect([file.exists(), existsSync(path)]).toEqual([false, false]);
  file.append("first");
  file.append("z".repeat(100_000));
  file.append("läst");
  file.flush();
  expect(readFileSync(path, "utf8")).toBe(`first\n${"z".repeat(100_000)}\nläst\n`);
  expect([statSync(path).mode & 0o777, file.exists(), file.problem()]).toEqual([0o600, true, null]);
  file.close();
  file.close();
  file.append("too late");
  file.flush();
  expect(readFileSync(path, "utf8").endsWith("läst\n")).toBe(true);
});

test("a file that is there is left alone, unless it is given open", () => {
  const path = place();
  writeFileSync(path, "mine");
  const careful = createLineFile(path);
  careful.append("x");
  careful.close();
  expect([readFileSync(path, "utf8"), careful.problem()]).toEqual(["mine", `${path} could not be written: EEXIST`]);
  const bold = createLineFile(path, { fd: nodeFs.openSync(path, "w") });
  bold.append("x");
  bold.close();
  expect([readFileSync(path, "utf8"), bold.problem()]).toEqual(["x\n", null]);
});

test.each([1, 2, 3, 4])("a disk that fails at call %d is reported and nothing is thrown", (failing) => {
  const path = place();
  const file = createLineFile(path, { files: failingFrom(failing, "ENOSPC") });
  for (let line = 0; line < 3; line += 1) file.append("y".repeat(70_000));
  file.close();
  expect(file.problem()).toBe(`${path} could not be written: ENOSPC`);
});

test("a disk that writes in pieces gets everything", () => {
  const path = place();
  const file = createLineFile(path, { files: failingFrom(Infinity, "") });
  file.append("abc");
  file.close();
  expect([readFileSync(path, "utf8"), file.problem()]).toEqual(["abc\n", null]);
});

test("lines as bytes and lines as text are in the file in their order, long ones too", () => {
  const path = place();
  const file = createLineFile(path, { files: failingFrom(Infinity, "") });
  const bytes = Buffer.from("second\nthïrd");
  const long = ["a", "b"].map((letter) => letter.repeat(300_000));
  file.append("first");
  file.appendBytes(bytes);
  bytes.fill(0);
  file.appendBytes(Buffer.from(long.join("\n")));
  file.append("ü".repeat(300_000));
  file.append("last");
  file.close();
  file.appendBytes(Buffer.from("too late"));
  const lines = ["first", "second", "thïrd", ...long, "ü".repeat(300_000), "last", ""];
  expect([readFileSync(path, "utf8"), file.problem()]).toEqual([lines.join("\n"), null]);
});
