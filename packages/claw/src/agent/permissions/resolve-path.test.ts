import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { resolveEntry, resolvePath } from "./resolve-path.ts";

/** A folder with a workspace and something outside of it. */
function place(): { cwd: string; outside: string } {
  const folder = temporaryFolder(onTestFinished);
  const [cwd, outside] = [join(folder, "work"), join(folder, "outside")];
  mkdirSync(join(cwd, "src"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "canary"), "alive");
  return { cwd, outside };
}

describe("a path", () => {
  test("is made absolute, whether or not it exists", () => {
    const { cwd } = place();
    expect(resolvePath("src/./a//b.ts", { cwd })).toBe(`${cwd}/src/a/b.ts`);
    expect(resolvePath(".", { cwd })).toBe(cwd);
    expect(resolvePath("new/../src", { cwd })).toBe(`${cwd}/src`);
    expect(resolvePath("../../../../../../../../..", { cwd })).toBe("/");
  });

  test("leads where its links lead, files, folders and chains of them", () => {
    const { cwd, outside } = place();
    symlinkSync(outside, join(cwd, "folder"));
    symlinkSync("folder/canary", join(cwd, "file"));
    symlinkSync("../../work/folder", join(cwd, "src", "chain"));
    expect(resolvePath("folder/new/x", { cwd })).toBe(`${outside}/new/x`);
    expect(resolvePath("file", { cwd })).toBe(`${outside}/canary`);
    expect(resolvePath("src/chain/canary", { cwd })).toBe(`${outside}/canary`);
  });

  test("goes up from where a link leads, not from where the link stands", () => {
    const { cwd, outside } = place();
    symlinkSync(outside, join(cwd, "src", "link"));
    expect(resolvePath("src/link/../canary", { cwd })).toBe(join(outside, "..", "canary"));
  });

  test("behind a link to nothing is where the link would create it", () => {
    const { cwd, outside } = place();
    symlinkSync(join(outside, "absent"), join(cwd, "dangling"));
    expect(resolvePath("dangling", { cwd })).toBe(`${outside}/absent`);
  });

  test("may begin at home", () => {
    const { cwd } = place();
    expect(resolvePath("~/x", { cwd, home: "/nowhere/me" })).toBe("/nowhere/me/x");
    expect(resolvePath("~", { cwd, home: "/nowhere/me" })).toBe("/nowhere/me");
    expect(resolvePath("~other/x", { cwd, home: "/nowhere/me" })).toBe(`${cwd}/~other/x`);
  });

  test.each([
    ["a loop", "loop"],
    ["a NUL", "a\0b"],
    ["half a character", "a\ud800b"],
    ["nothing", ""],
    ["a name that is too long", "x".repeat(5000)],
  ])("that is %s is refused", (_, path) => {
    const { cwd } = place();
    symlinkSync("loop", join(cwd, "loop"));
    expect(() => resolvePath(path, { cwd })).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
  });

  test("whose link cannot be read as text is refused", () => {
    const { cwd } = place();
    symlinkSync(Buffer.from([0x61, 0xff]), join(cwd, "odd"));
    expect(() => resolvePath("odd", { cwd })).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
  });
});

describe("an entry", () => {
  test("that is a link is the link, in the folder it really stands in", () => {
    const { cwd, outside } = place();
    symlinkSync(outside, join(cwd, "out"));
    symlinkSync("nothing", join(cwd, "link"));
    expect(resolveEntry("link", { cwd })).toBe(`${cwd}/link`);
    expect(resolveEntry("link/", { cwd })).toBe(`${cwd}/link`);
    expect(resolveEntry("out/canary", { cwd })).toBe(`${outside}/canary`);
    expect(resolveEntry("..", { cwd })).toBe(join(cwd, ".."));
  });
});
