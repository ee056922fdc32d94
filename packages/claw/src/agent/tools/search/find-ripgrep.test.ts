import { accessSync, constants } from "node:fs";
import { expect, test } from "vitest";
import { findRipgrep, ripgrepBinary } from "./find-ripgrep.ts";

test.each([
  ["linux", "x64", "@vscode/ripgrep-linux-x64/bin/rg"],
  ["darwin", "arm64", "@vscode/ripgrep-darwin-arm64/bin/rg"],
  ["win32", "x64", "@vscode/ripgrep-win32-x64/bin/rg.exe"],
] as const)("on %s %s the binary is in a package for it", (platform, arch, path) => {
  expect(ripgrepBinary(platform, arch)).toBe(path);
});

test("the binary that is installed can be run", () => {
  const path = findRipgrep(undefined);
  accessSync(path, constants.X_OK);
  expect(path).toContain(ripgrepBinary());
});
