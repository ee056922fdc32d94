import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { checkRequest } from "./create-request.ts";
import { request } from "../testing/start-test-host.ts";

/** A folder with a program, and a file that is none. */
function openFolder(): string {
  const folder = temporaryFolder(onTestFinished);
  for (const name of ["program", "text"]) writeFileSync(join(folder, name), "#!/bin/sh\n");
  chmodSync(join(folder, "program"), 0o700);
  mkdirSync(join(folder, "sub"));
  return folder;
}

describe("what is to run in a terminal", () => {
  test("is a program that is found, in a folder that is there", () => {
    const cwd = openFolder();
    const env = { PATH: cwd, HOME: cwd };
    expect(checkRequest(request("1", { argv: ["program", "a"], env }))).toMatchObject({
      program: [join(cwd, "program"), "a"],
      shell: null,
      cwd: "/",
      cols: 80,
      rows: 24,
    });
    expect(checkRequest(request("1", { argv: ["program"], cwd: undefined, env }))).toMatchObject({ cwd });
  });

  test("is a shell where no program is named: the one asked for, or the user's", () => {
    expect(checkRequest(request("1", { shellPath: "/bin/sh" }))).toMatchObject({ program: null, shell: "/bin/sh" });
    expect(checkRequest(request("1", { argv: [], env: { SHELL: "/bin/sh" } }))).toMatchObject({ shell: "/bin/sh" });
    expect(checkRequest(request("1", { env: { SHELL: "sh" } })).shell).not.toBe("sh");
  });

  test.each([
    [0, 80],
    [1, 1],
    [1.5, 80],
    [-1, 80],
    [LIMITS.terminalSize, LIMITS.terminalSize],
    [LIMITS.terminalSize + 1, LIMITS.terminalSize],
  ])("asked for %d columns it gets %d", (asked, cols) => {
    expect(checkRequest(request("1", { shellPath: "/bin/sh", cols: asked })).cols).toBe(cols);
  });

  test("is refused where it cannot be", () => {
    const cwd = openFolder();
    const env = { PATH: cwd };
    const refused = { code: "TERMINAL_HOST_FAILED" };
    const wrong = [
      request("0", { argv: ["program"], env }),
      request("1", { argv: ["text"], env }),
      request("1", { argv: ["nothing"], env }),
      request("1", { argv: ["program"], env, cwd: join(cwd, "text") }),
      request("1", { argv: ["program"], env, cwd: join(cwd, "nothing") }),
      request("1", { argv: ["program", "a\0b"], env }),
      request("1", { argv: ["program"], env: { ...env, A: "\0" } }),
      request("1", { argv: ["program"], env: { ...env, "A\0": "" } }),
      request("1", { shellPath: "/bin/sh\0" }),
      request("1", { argv: ["program"], env, cwd: `${cwd}\0` }),
    ];
    for (const each of wrong) expect(() => checkRequest(each)).toThrow(expect.objectContaining(refused));
  });
});
