import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { pathsMeant } from "./paths-meant.ts";

function meant(command: string, kind: "read" | "write" = "read"): string[] {
  const root = temporaryFolder(onTestFinished);
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  symlinkSync("circle", join(root, "circle"));
  const paths = pathsMeant(command, kind, { root, extraFolders: [] });
  return [...new Set(paths)].map((path) => path.replace(`${root}/`, ""));
}

test("every word may be a file, as it is written and as it really is", () => {
  expect(meant("cat link/x")).toEqual(["cat", "link/x", "real/x"]);
  expect(meant("x --file=link;y<z")).toEqual(["x", "--file", "link", "real", "y", "z"]);
  expect(meant("cat 're'al")).toEqual(["cat", "re", "al", "real"]);
  expect(meant("cat circle")).toEqual(["cat", "circle"]);
});

test("a line that only reads writes none of them, and any other may", () => {
  expect(meant("cat real | head real", "write")).toEqual([]);
  expect(meant("cat real; touch real", "write")).toContain("real");
  expect(meant("cat real > x", "write")).toContain("real");
});

test("a word that is longer than any rule is none", () => {
  const longest = "x".repeat(LIMITS.ruleChars);
  expect(meant(`${longest} ${longest}y`)).toEqual([longest]);
});
