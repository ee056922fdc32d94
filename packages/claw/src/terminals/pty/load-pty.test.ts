import { createRequire } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { loadPty } from "./load-pty.ts";

/** What loads packages in a folder whose library of terminals runs this code; without code it is not installed. */
function requireIn(code?: string): NodeJS.Require {
  const folder = temporaryFolder(onTestFinished);
  const library = join(folder, "node_modules/@lydell/node-pty");
  if (code !== undefined) {
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, "index.js"), code);
  }
  return createRequire(join(folder, "main.cjs"));
}

test("terminals work here, with the library that is installed", () => {
  const { library, path } = loadPty();
  expect([typeof library.spawn, path.includes("node-pty")]).toEqual(["function", true]);
});

test("the library is the one beside the program", () => {
  expect(loadPty(requireIn("module.exports = { spawn: 1 };"))).toEqual({
    library: { spawn: 1 },
    path: expect.stringMatching(/node_modules\/@lydell\/node-pty\/index\.js$/) as string,
  });
});

describe("terminals are refused, and the reason said in one line", () => {
  test.each([
    ["where the optional library is not installed", undefined, "Cannot find module '@lydell/node-pty'"],
    [
      "where it has no binary for the platform",
      `throw new Error("The @lydell/node-pty package could not find the binary package for sunos-x64\\nmore");`,
      "could not find the binary package for sunos-x64",
    ],
  ])("%s", (_where, code, reason) => {
    expect(() => loadPty(requireIn(code))).toThrow(
      expect.objectContaining({
        code: "TERMINAL_UNAVAILABLE",
        message: expect.stringMatching(`^terminals do not work on this machine: [^\\n]*${reason}[^\\n]*$`) as string,
      }),
    );
  });
});
