import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { findProgram } from "./find-program.ts";

/** Two folders of a path: in the first `plain` cannot be executed and `folder` is one, in the second both can. */
function places() {
  const cwd = temporaryFolder(onTestFinished);
  const [first, second] = [join(cwd, "first"), join(cwd, "second")];
  mkdirSync(join(first, "folder"), { recursive: true });
  mkdirSync(second);
  for (const name of ["plain", "only"]) writeFileSync(join(first, name), "");
  for (const name of ["plain", "folder"]) {
    writeFileSync(join(second, name), "");
    chmodSync(join(second, name), 0o755);
  }
  symlinkSync(join(first, "nowhere"), join(first, "dangling"));
  return { cwd, first, second, path: `${first}:${second}` };
}

test("a name is looked for in the folders of the path, past what cannot be executed", () => {
  const { cwd, second, path } = places();
  expect(findProgram("plain", { path, cwd })).toEqual({ kind: "found", path: join(second, "plain") });
  expect(findProgram("folder", { path, cwd })).toEqual({ kind: "found", path: join(second, "folder") });
});

test("a file that nobody may execute is told apart from none", () => {
  const { cwd, first, path } = places();
  expect(findProgram("only", { path, cwd })).toEqual({ kind: "not-executable", path: join(first, "only") });
  expect(findProgram("nothing", { path, cwd })).toEqual({ kind: "missing" });
  expect(findProgram("dangling", { path, cwd })).toEqual({ kind: "missing" });
  expect(findProgram("", { path, cwd })).toEqual({ kind: "missing" });
});

test("a name with a slash is a path, seen from the working folder", () => {
  const { cwd, second } = places();
  expect(findProgram("second/plain", { cwd })).toEqual({ kind: "found", path: join(second, "plain") });
  expect(findProgram(join(second, "plain"), { cwd: "/" })).toEqual({ kind: "found", path: join(second, "plain") });
  expect(findProgram("./plain", { path: second, cwd })).toEqual({ kind: "missing" });
});

test("what cannot be looked at is passed over", () => {
  const { cwd, first, second, path } = places();
  symlinkSync("circle", join(first, "circle"));
  writeFileSync(join(second, "circle"), "", { mode: 0o755 });
  expect(findProgram("circle", { path, cwd })).toEqual({ kind: "found", path: join(second, "circle") });
  const unreachable = `${join(first, "x".repeat(300))}:${path}`;
  expect(findProgram("plain", { path: unreachable, cwd })).toEqual({ kind: "found", path: join(second, "plain") });
});

test("an empty part of the path is the working folder", () => {
  const { second } = places();
  expect(findProgram("plain", { path: ":/nowhere", cwd: second })).toEqual({
    kind: "found",
    path: join(second, "plain"),
  });
});

test("without a path the usual folders are looked in, and not the working folder", () => {
  const { second } = places();
  expect(findProgram("plain", { cwd: second })).toEqual({ kind: "missing" });
  expect(findProgram("sh", { cwd: second })).toMatchObject({ kind: "found" });
});
