import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { startShell, userShell } from "./shell-integration.ts";

/** How a shell is started for a user who has these files. */
function start(path: string, ...files: string[]) {
  const home = temporaryFolder(onTestFinished);
  for (const name of files) writeFileSync(join(home, name), "");
  const folder = join(home, "shell");
  return { folder, ...startShell({ path, folder, nonce: "n1", env: { HOME: home } }) };
}

test.each([
  ["/bin/dash", "posix", ["-i"], ["-i", "-l"]],
  ["/bin/sh", "posix", ["-i"], ["-i", "-l"]],
  ["/usr/bin/fish", "none", ["-i"], ["-i", "-l"]],
  ["/usr/bin/nu", "none", [], []],
])(
  "%s without marks of its own is interactive where that is known, and reads a profile that is there",
  (path, kind, bare, login) => {
    expect(start(path)).toMatchObject({ argv: [path, ...bare], env: {}, kind });
    expect(start(path, ".profile")).toMatchObject({ argv: [path, ...login], kind });
  },
);

test("bash and zsh mark their commands, by files that go when they have begun", () => {
  const bash = start("/bin/bash", ".profile");
  expect(bash).toMatchObject({ argv: ["/bin/bash", "--rcfile", join(bash.folder, "bashrc"), "-i"], kind: "marks" });
  expect(readFileSync(join(bash.folder, "bashrc"), "utf8")).toContain("n1");
  const zsh = start("/bin/zsh");
  expect(zsh).toMatchObject({ argv: ["/bin/zsh", "-i"], env: { ZDOTDIR: zsh.folder }, kind: "marks" });
  expect(start("/bin/zsh", ".zlogin").argv).toEqual(["/bin/zsh", "-i", "-l"]);
  for (const { tidy, folder } of [bash, zsh]) {
    tidy();
    expect(existsSync(folder)).toBe(false);
  }
});

test("the user's shell is the one that is named and there, or one of the system", () => {
  expect(userShell({ SHELL: "/bin/sh" })).toBe("/bin/sh");
  for (const named of ["sh", "/nowhere/sh", undefined]) expect(userShell({ SHELL: named })).toBe("/bin/bash");
});
