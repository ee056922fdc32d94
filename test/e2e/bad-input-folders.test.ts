import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { effort } from "./effort.ts";
import { admitStrangers, IS_ROOT, NOBODY, processStat, refused, runShell, seed, snapshot } from "./provocations.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

describe("the working folder", () => {
  test.for<[string, string, string]>([
    ["is missing", "not-there", "not_found"],
    ["is empty", "", "empty"],
    ["is a file", "file", "not_a_directory"],
    ["is below a file", "file/below", "not_a_directory"],
    ["is a dangling link", "dangling", "not_found"],
    ["is a link to itself", "loop", "unreadable"],
    ["has a name too long for any disk", "x".repeat(5000), "unreadable"],
    ["is a name that is no UTF-8", "a\uFFFDb", "not_utf8"],
  ])("that %s is refused with the reason", async ([, folder, reason]) => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.cwd, "file"), "");
    symlinkSync("nowhere", join(workspace.cwd, "dangling"));
    symlinkSync("loop", join(workspace.cwd, "loop"));
    for (const flag of ["--cwd", "--directory"]) {
      const error = await refused(workspace, ["list-sessions", `${flag}=${folder}`]);
      expect(error).toMatchObject({ code: "INVALID_CWD", reason });
    }
  });

  test.skipIf(!IS_ROOT)("that cannot be read is refused, whether given or entered (needs root)", async () => {
    const workspace = createWorkspace();
    admitStrangers(workspace);
    chmodSync(workspace.cwd, 0o311);
    const given = await refused(workspace, ["list-sessions", "--cwd", "."], { uid: NOBODY });
    expect(given).toMatchObject({ code: "INVALID_CWD", reason: "unreadable" });
    const entered = await refused(workspace, ["list-sessions"], { uid: NOBODY });
    expect(entered).toMatchObject({ code: "INVALID_CWD", reason: "unreadable" });
  });

  test("that was removed under the process is refused", async () => {
    const script = "mkdir gone && cd gone && rmdir ../gone && claw list-sessions --output-format json";
    const { stdout, stderr, exitCode } = await runShell(createWorkspace(), script);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "INVALID_CWD", reason: "not_found" } });
    expect(exitCode).toBe(1);
  });

  test("that was removed does not matter when another one is given", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "kept");
    const script = 'mkdir gone && cd gone && rmdir ../gone && claw list-sessions --cwd "$1" --output-format json';
    const { stdout } = await runShell(workspace, script, { words: [workspace.cwd] });
    expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, total_count: 1 });
  });

  test("with a link in its path works like any other", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "kept");
    symlinkSync(workspace.cwd, join(workspace.home, "link"));
    const { sessions } = await clawJson(workspace, ["list-sessions", "--cwd", join(workspace.home, "link")]);
    const [session] = sessions as { path: string }[];
    const body = await clawJson(workspace, [
      "load-session",
      session?.path ?? "",
      "--cwd",
      join(workspace.home, "link"),
    ]);
    expect(body).toMatchObject({ loaded: true, session_id: "kept" });
  });

  test.for(["list-sessions", "load-session x", "delete-session x", "export", "flush-transcript hello", "init"])(
    "with a file in place of .claw is an error of the files, not of claw: %s",
    async (line) => {
      const workspace = createWorkspace();
      writeFileSync(join(workspace.cwd, ".claw"), "");
      const error = await refused(workspace, line.split(" "));
      expect(error.code).toMatch(/^(FILESYSTEM_ERROR|INVALID_OUTPUT_PATH)$/);
    },
  );

  test.for([["init"], ["list-sessions"], ["flush-transcript", "hello"]])(
    "is refused with its .claw behind a link, and nothing is left there: %s",
    async (args) => {
      const workspace = createWorkspace();
      const elsewhere = join(workspace.home, "elsewhere");
      mkdirSync(elsewhere);
      symlinkSync(elsewhere, join(workspace.cwd, ".claw"));
      expect((await refused(workspace, args)).code).toBe("FILESYSTEM_ERROR");
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );
});

describe("the surroundings", () => {
  test("without HOME the home of the user's entry is used", async () => {
    const workspace = createWorkspace();
    const ended = await runClaw(workspace, ["status", "--output-format", "json"], {
      env: { HOME: undefined, CLAW_CONFIG_HOME: undefined },
    });
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test.skipIf(!IS_ROOT)("a user without HOME and without an entry can work (needs root)", async () => {
    const workspace = createWorkspace();
    admitStrangers(workspace);
    const options = { uid: 54_321, env: { HOME: undefined, CLAW_CONFIG_HOME: undefined } };
    for (const verb of ["version", "list-sessions", "status", "config"]) {
      expect(await clawJson(workspace, [verb], options)).toMatchObject({ exit_code: 0 });
    }
  });

  test("an answer too large for its limit does not need a writable TMPDIR to be refused properly", async () => {
    const workspace = createWorkspace();
    const env = { TMPDIR: join(workspace.home, "not-there"), CLAW_MAX_OUTPUT_BYTES: "2000" };
    expect((await refused(workspace, ["manifest"], { env })).code).toBe("FILESYSTEM_ERROR");
  });

  test.for([["manifest"], ["schema"], ["help"], ["export"], ["status"], ["config"], ["list-sessions"]])(
    "an answer too large for its limit is still an answer for people: %s",
    async (args) => {
      const workspace = createWorkspace();
      await seed(workspace, "s");
      const env = { CLAW_MAX_OUTPUT_BYTES: "100", TMPDIR: workspace.home };
      const { exitCode, stdout } = await runClaw(workspace, args, { env });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/\S/);
    },
  );

  test("storing needs no TMPDIR", async () => {
    const workspace = createWorkspace();
    const env = { TMPDIR: join(workspace.home, "not-there") };
    expect(await clawJson(workspace, ["flush-transcript", "hello"], { env })).toMatchObject({ flushed: true });
  });

  test.for(["0", "-1", "many", "", "1e400"])("a strange CLAW_MAX_OUTPUT_BYTES (%j) is passed over", async (value) => {
    const body = await clawJson(createWorkspace(), ["manifest"], { env: { CLAW_MAX_OUTPUT_BYTES: value } });
    expect(body).toMatchObject({ exit_code: 0 });
    expect(body).not.toHaveProperty("truncated");
  });
});

describe("standard output", () => {
  test("a reader that leaves after one byte is no error", async () => {
    const workspace = createWorkspace();
    const script = `{ claw manifest --output-format json; echo $? >code; } | head -c 1; cat code`;
    expect(await runShell(workspace, script)).toMatchObject({ stdout: "{0\n", stderr: "" });
  });

  test("a reader that never reads is no error", async () => {
    const script = `{ claw manifest --output-format json; echo $? >code; } | true; cat code`;
    expect(await runShell(createWorkspace(), script)).toMatchObject({ stdout: "0\n", stderr: "" });
  });

  test("a closed standard output is silence", async () => {
    const workspace = createWorkspace();
    for (const format of ["json", "text"]) {
      const ended = await runShell(workspace, `claw list-sessions --output-format ${format} >&-`);
      expect(ended).toEqual({ exitCode: 0, signal: null, stdout: "", stderr: "" });
    }
  });

  test("a closed standard error changes nothing of an answer", async () => {
    const { stdout, exitCode } = await runShell(createWorkspace(), "claw load-session x --output-format json 2>&-");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "SESSION_NOT_FOUND" } });
    expect(exitCode).toBe(1);
  });

  test("a full disk behind standard output is an error in one line, without a trace", async () => {
    for (const format of ["json", "text"]) {
      const ended = await runShell(createWorkspace(), `claw version --output-format ${format} >/dev/full`);
      expect(ended.exitCode).not.toBe(0);
      expect(ended.stderr).toMatch(/ENOSPC|no space/i);
      expect(ended.stderr).not.toMatch(/^ {4}at /m);
    }
  });

  test("what was stored stays stored when nobody hears of it", async () => {
    const workspace = createWorkspace();
    await runShell(workspace, "claw flush-transcript hello --session-id s --output-format json >/dev/full 2>/dev/null");
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 1 });
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });
});

describe("git", () => {
  test("a git that hangs is given up, and what it left is ended", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, ".git"));
    const bin = join(workspace.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho $$ >>"${bin}/pids"\nexec sleep 600\n`, { mode: 0o755 });
    const body = await clawJson(workspace, ["status"], { env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });
    expect(body).toMatchObject({ workspace: { git_state: "unknown" } });
    const pids = readFileSync(join(bin, "pids"), "utf8").trim().split("\n").map(Number);
    expect(pids.filter((pid) => !["?", "Z", "X"].includes(processStat(pid).state))).toEqual([]);
  });

  test("no git at all is no failure", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, ".git"));
    const bin = join(workspace.home, "empty");
    mkdirSync(bin);
    const body = await clawJson(workspace, ["status"], { env: { PATH: bin } });
    expect(body).toMatchObject({ workspace: { git_state: "unknown" } });
  });

  test("a folder is said to be no repository every time it is asked", async () => {
    const workspace = createWorkspace();
    const states = new Set<unknown>();
    for (let round = 0; round < effort(5, 12); round += 1) {
      const body = await clawJson(workspace, ["status"]);
      states.add((body["workspace"] as Record<string, unknown>)["git_state"]);
    }
    expect([...states]).toEqual(["no_repository"]);
  });
});
