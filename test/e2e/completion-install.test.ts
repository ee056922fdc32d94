import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "claw-contract";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { snapshot } from "./provocations.ts";
import { BINARY, clawJson } from "./run-claw.ts";
import { LOOK_MS, openTmux } from "./terminal-session.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** A folder with `claw` in it, and a PATH that begins with it. */
function putClaw({ home }: Workspace): string {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nexec ${shellQuote(process.execPath)} ${shellQuote(BINARY)} "$@"\n`;
  writeFileSync(join(bin, "claw"), script, { mode: 0o755 });
  return `${bin}:${process.env["PATH"] ?? ""}`;
}

/** A shell as a person starts it, with the start files of its user. */
const SHELLS = [
  { shell: "bash", rc: ".bashrc", start: "exec bash -i" },
  { shell: "zsh", rc: ".zshrc", start: "exec zsh -i" },
  { shell: "fish", rc: ".config/fish/config.fish", start: "exec fish -i" },
] as const;

/** A start file of the user, in no encoding, without a last line end. It shows when the shell is ready. */
const OWN = Buffer.from("# my own \xff\xfe\nexport MINE=1; PS1='ready> '", "latin1");
const FISH_OWN = Buffer.from("function fish_prompt; echo 'ready> '; end\n", "latin1");

describe.each(SHELLS)("completion --install for $shell", ({ shell, rc, start }) => {
  test("completes in a new shell, whose start file keeps every byte", async () => {
    const workspace = createWorkspace();
    const path = putClaw(workspace);
    const file = join(workspace.home, rc);
    mkdirSync(join(file, ".."), { recursive: true });
    const own = shell === "fish" ? FISH_OWN : OWN;
    writeFileSync(file, own);
    expect(await clawJson(workspace, ["completion", shell, "--install"])).toMatchObject({ effect: "created" });
    expect(readFileSync(file).subarray(0, own.length)).toEqual(own);

    const session = openTmux(workspace, `${start}\n`, { PATH: path, SHELL: `/bin/${shell}`, ZDOTDIR: workspace.home });
    await until("the shell", () => session.screen().includes("ready>"), LOOK_MS);
    session.type("claw list-s");
    session.press("Tab");
    await until("the verb", () => session.screen().includes("claw list-sessions"), LOOK_MS);
    session.type(" --output-f");
    session.press("Tab");
    await until("the flag", () => session.screen().includes("--output-format"), LOOK_MS);
  });

  test("is written once, shown by a dry run, and removed without a trace", async () => {
    const workspace = createWorkspace();
    const file = join(workspace.home, rc);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, OWN, { mode: 0o640 });
    const before = snapshot(workspace.home);
    const plan = await clawJson(workspace, ["completion", shell, "--install", "--dry-run"]);
    expect(plan).toMatchObject({ effect: "would_create" });
    expect(snapshot(workspace.home)).toEqual(before);

    await clawJson(workspace, ["completion", shell, "--install"]);
    const once = snapshot(workspace.home);
    expect(await clawJson(workspace, ["completion", shell, "--install"])).toMatchObject({ effect: "noop" });
    expect(snapshot(workspace.home)).toEqual(once);
    expect(await clawJson(workspace, ["completion", shell, "--uninstall"])).toMatchObject({
      effect: expect.stringMatching(/deleted|updated/),
    });
    expect(readFileSync(file)).toEqual(OWN);
    expect(lstatSync(file).mode & 0o777).toBe(0o640);
    expect(await clawJson(workspace, ["completion", shell, "--uninstall"])).toMatchObject({ effect: "noop" });
  });
});

describe("a start file", () => {
  test("that is a link stays a link, and its target is written", async () => {
    const workspace = createWorkspace();
    const target = join(workspace.home, "dotfiles-bashrc");
    writeFileSync(target, "# mine\n");
    symlinkSync(target, join(workspace.home, ".bashrc"));
    await clawJson(workspace, ["completion", "bash", "--install"]);
    expect(lstatSync(join(workspace.home, ".bashrc")).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toMatch(/^# mine\n# >>> claw completion >>>\n/);
  });

  test.each([
    ["bash", ".bashrc"],
    ["zsh", ".zshrc"],
  ])("that claw made for %s is removed again", async (shell, rc) => {
    const workspace = createWorkspace();
    await clawJson(workspace, ["completion", shell, "--install"]);
    expect(existsSync(join(workspace.home, rc))).toBe(true);
    await clawJson(workspace, ["completion", shell, "--uninstall"]);
    expect(existsSync(join(workspace.home, rc))).toBe(false);
  });

  test("that is a folder is refused, and the script's file does no harm", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.home, ".bashrc"));
    const { error } = await clawJson(workspace, ["completion", "bash", "--install"]);
    expect(error).toMatchObject({ code: "FILESYSTEM_ERROR", message: expect.stringContaining("is no regular file") });
    expect(existsSync(join(workspace.home, ".bashrc"))).toBe(true);
  });

  test("cannot be installed and removed at once", async () => {
    const { error } = await clawJson(createWorkspace(), ["completion", "bash", "--install", "--uninstall"]);
    expect(error).toMatchObject({ code: "INVALID_FLAG_VALUE" });
  });
});
