import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { systemShell, systemShellFor } from "./system-shell.ts";

describe.each(["linux", "darwin", "freebsd"] as const)("the shell of %s", (platform) => {
  const shell = systemShellFor(platform);

  test("runs a script, and gives it words as they are", () => {
    expect(shell.run('echo "$0" "$1"', "a b", "$HOME")).toEqual(["/bin/sh", "-c", 'echo "$0" "$1"', "a b", "$HOME"]);
  });

  test("is the last of the shells for terminals", () => {
    expect(shell.forTerminals).toEqual(["/bin/bash", "/bin/zsh", "/bin/sh"]);
  });
});

test("the shell of this system passes words on without reading them", () => {
  const [file, ...args] = systemShell.run('printf "%s|%s" "$0" "$1"', "a  b", "$(echo no)");
  expect(spawnSync(file, args, { encoding: "utf8" }).stdout).toBe("a  b|$(echo no)");
});

test("Windows has no shell for such commands: they are refused, and no terminal starts with one", () => {
  const shell = systemShellFor("win32");
  expect(() => shell.run("true")).toThrow(
    expect.objectContaining({ code: "PLATFORM_UNSUPPORTED", message: expect.stringContaining("win32") as string }),
  );
  expect(shell.forTerminals).toEqual([]);
});
