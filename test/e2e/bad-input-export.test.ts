import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { admitStrangers, IS_ROOT, NOBODY, refused, runShell, seed, snapshot } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

async function prepared(): Promise<Workspace> {
  const workspace = createWorkspace();
  await seed(workspace, "s");
  return workspace;
}

describe("where an export may go", () => {
  test.for<[string, string, string]>([
    ["nowhere", "", "empty"],
    ["the working folder itself", ".", "path_is_directory"],
    ["a folder", "folder", "path_is_directory"],
    ["a folder that is not there", "missing/notes.md", "parent_not_found"],
    ["below a file", "file/notes.md", "parent_not_a_directory"],
    ["far below a file", "file/deep/notes.md", "parent_not_a_directory"],
  ])("not to %s", async ([, target, reason]) => {
    const workspace = await prepared();
    mkdirSync(join(workspace.cwd, "folder"));
    writeFileSync(join(workspace.cwd, "file"), "mine");
    const before = snapshot(workspace.cwd);
    for (const more of [[], ["--yes"], ["--dry-run"]]) {
      const error = await refused(workspace, ["export", target, "--session-id", "s", ...more]);
      expect(error).toMatchObject({ code: "INVALID_OUTPUT_PATH", reason });
    }
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test("not to a missing folder, unless that is made as the hint says", async () => {
    const workspace = await prepared();
    const error = await refused(workspace, ["export", "missing/notes.md", "--session-id", "s"]);
    const folder = join(workspace.cwd, "missing");
    expect(error).toMatchObject({
      kind: "filesystem",
      operation: "write",
      retryable: true,
      message: `cannot write to '${folder}/notes.md': No such file or directory`,
      hint: `Create the folder first: mkdir -p -- ${folder}`,
    });
  });

  test.for<[string, string]>([
    ["a link to itself", "loop"],
    ["below a link to itself", "loop/notes.md"],
    ["a name that is too long", "x".repeat(300)],
  ])("not to %s", async ([, target]) => {
    const workspace = await prepared();
    symlinkSync("loop", join(workspace.cwd, "loop"));
    const before = snapshot(workspace.cwd);
    const error = await refused(workspace, ["export", target, "--session-id", "s", "--yes"]);
    expect(error.code).toMatch(/^(INVALID_OUTPUT_PATH|FILESYSTEM_ERROR)$/);
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test("not to a name that is no UTF-8, which would be written under another", async () => {
    const workspace = await prepared();
    const before = snapshot(workspace.cwd);
    const script = String.raw`claw export "$(printf 'a\377.md')" --output-format json`;
    const { stdout } = await runShell(workspace, script);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "INVALID_OUTPUT_PATH" } });
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test.skipIf(!IS_ROOT)("not to a folder of somebody else (needs root)", async () => {
    const workspace = await prepared();
    admitStrangers(workspace);
    for (const folder of [".claw", ".claw/sessions"]) chmodSync(join(workspace.cwd, folder), 0o755);
    chmodSync(join(workspace.cwd, ".claw/sessions/s.jsonl"), 0o644);
    mkdirSync(join(workspace.cwd, "closed"), { mode: 0o700 });
    for (const target of ["notes.md", "closed/notes.md"]) {
      expect((await refused(workspace, ["export", target, "--session-id", "s"], { uid: NOBODY })).code).toBe(
        "FILE_ACCESS_DENIED",
      );
    }
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });
});

describe("what stands in the way of an export", () => {
  test("a file is kept until its replacement is agreed to", async () => {
    const workspace = await prepared();
    const path = join(workspace.cwd, "notes.md");
    writeFileSync(path, "mine");
    expect((await refused(workspace, ["export", "notes.md"])).code).toBe("CONFIRMATION_REQUIRED");
    expect(readFileSync(path, "utf8")).toBe("mine");
    const preview = await clawJson(workspace, ["export", "notes.md", "--yes", "--dry-run"]);
    expect(preview).toMatchObject({ effect: "would_update" });
    expect(readFileSync(path, "utf8")).toBe("mine");
    const before = lstatSync(path).ino;
    expect(await clawJson(workspace, ["export", "notes.md", "--yes"])).toMatchObject({ effect: "updated", file: path });
    expect(readFileSync(path, "utf8")).toMatch(/^# Session s/);
    expect(lstatSync(path).ino).not.toBe(before);
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });

  test("a link is not written through without consent, and its target is never half a file", async () => {
    const workspace = await prepared();
    writeFileSync(join(workspace.home, "precious"), "mine");
    symlinkSync(join(workspace.home, "precious"), join(workspace.cwd, "notes.md"));
    expect((await refused(workspace, ["export", "notes.md"])).code).toBe("CONFIRMATION_REQUIRED");
    expect(readlinkSync(join(workspace.cwd, "notes.md"))).toBe(join(workspace.home, "precious"));
    await clawJson(workspace, ["export", "notes.md", "--yes"]);
    expect(readFileSync(join(workspace.cwd, "notes.md"), "utf8")).toMatch(/^# Session s/);
    expect(readFileSync(join(workspace.home, "precious"), "utf8")).toMatch(/^(mine|# Session s\n[^]*)$/);
  });

  test("a dangling link is something that exists", async () => {
    const workspace = await prepared();
    symlinkSync("nowhere", join(workspace.cwd, "notes.md"));
    expect((await refused(workspace, ["export", "notes.md"])).code).toBe("CONFIRMATION_REQUIRED");
    expect(readlinkSync(join(workspace.cwd, "notes.md"))).toBe("nowhere");
  });

  test("a named pipe is refused and stays a pipe", async () => {
    const workspace = await prepared();
    expect(spawnSync("mkfifo", [join(workspace.cwd, "pipe")]).status).toBe(0);
    const error = await refused(workspace, ["export", "pipe", "--session-id", "s", "--yes"]);
    expect(error.code).toBe("INVALID_OUTPUT_PATH");
    expect(lstatSync(join(workspace.cwd, "pipe")).isFIFO()).toBe(true);
  });

  test("a device is refused and stays a device", async ({ skip }) => {
    const workspace = await prepared();
    const device = join(workspace.cwd, "full");
    if (spawnSync("mknod", [device, "c", "1", "7"]).status !== 0) skip("this machine lets us make no device");
    const error = await refused(workspace, ["export", "full", "--session-id", "s", "--yes"]);
    expect(error.code).toBe("INVALID_OUTPUT_PATH");
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 1 });
  });

  test("two different targets in one call are refused or warned about", async () => {
    const workspace = await prepared();
    const body = await clawJson(workspace, ["export", "a.md", "--output", "b.md", "--session-id", "s"]);
    expect(body.error?.code ?? body["warnings"]).toBeDefined();
  });
});
