import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { clawsFile, startDaemon } from "./daemon-process.ts";
import { snapshot } from "./provocations.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { createWorkspace, secretFile } from "./workspace.ts";

const isVerifierThere = (): boolean => ["/usr/bin", "/bin"].some((folder) => existsSync(`${folder}/systemd-analyze`));

describe("claw service", () => {
  test("writes a unit that systemd's own check accepts, once, with the flags of the daemon that runs", async () => {
    const workspace = createWorkspace();
    const { pid } = await startDaemon(workspace, "--tee", "--rate-limit", "77");
    const first = await clawJson(workspace, ["service", "install"]);
    expect(first).toMatchObject({ effect: "created", manager: "systemd", verified: isVerifierThere() ? true : null });
    expect(first["next"]).toContain("claw down");
    const path = String(first["path"]);
    const text = readFileSync(path, "utf8");
    expect(text).toContain('"--tee"');
    expect(text).toContain('"--rate-limit=77"');
    expect(await clawJson(workspace, ["service", "install"])).toMatchObject({ effect: "noop" });
    expect(await clawJson(workspace, ["service", "status"])).toMatchObject({ installed: true, current: true });
    process.kill(pid, "SIGTERM");
  });

  test("whose command starts the daemon of the folder, whatever the folder is called", async () => {
    const workspace = createWorkspace();
    const cwd = join(workspace.cwd, `a "b" $c`);
    mkdirSync(cwd);
    const place = { cwd, home: workspace.home };
    const { text } = await clawJson(place, ["service", "install"]);
    const [, line = ""] = /^ExecStart=(.*)$/m.exec(String(text)) ?? [];
    const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) =>
      word.replaceAll(/\\(.)/g, "$1").replaceAll("$$", "$").replaceAll("%%", "%"),
    );
    expect(words.at(-1)).toBe(`--cwd=${cwd}`);
    expect(words.slice(2)).toEqual(["up", "--foreground", `--cwd=${cwd}`]);
  });

  test("says that no service manager answers, removes what it wrote, and refuses a link", async () => {
    const workspace = createWorkspace();
    const { path, reachable } = await clawJson(workspace, ["service", "install"]);
    expect(reachable).toBe(false);
    const { stdout } = await runClaw(workspace, ["service", "status"]);
    expect(stdout).toContain("No service manager of this user answers here");
    expect(await clawJson(workspace, ["service", "uninstall"])).toMatchObject({ effect: "deleted" });
    expect(existsSync(String(path))).toBe(false);
    expect(await clawJson(workspace, ["service", "uninstall"])).toMatchObject({ effect: "noop" });
    symlinkSync("/etc/hostname", String(path));
    expect((await clawJson(workspace, ["service", "install"])).error).toMatchObject({ code: "FILESYSTEM_ERROR" });
  });
});

describe("claw uninstall", () => {
  test("lists what it would remove and changes nothing; with --yes it removes just that", async () => {
    const workspace = createWorkspace();
    const { cwd, home } = workspace;
    await startDaemon(workspace);
    await clawJson(workspace, ["flush-transcript", "mine", "--session-id", "mine"]);
    await clawJson(workspace, ["completion", "fish", "--install"]);
    const { path: service } = await clawJson(workspace, ["service", "install"]);
    const secrets = dirname(secretFile(workspace, "x"));
    const other = join(dirname(secrets), "0123456789abcdef");
    const gone = join(dirname(secrets), "fedcba9876543210");
    for (const [folder, owner] of [
      [other, home],
      [gone, join(home, "nowhere")],
    ] as const) {
      mkdirSync(folder);
      writeFileSync(join(folder, "workspace.json"), JSON.stringify({ workspace: owner }));
    }
    const cache = join(dirname(home), "cache", "claw");
    mkdirSync(cache, { recursive: true });
    const env = { XDG_CACHE_HOME: dirname(cache) };
    const before = [snapshot(cwd).lasting, snapshot(home).lasting];
    const plan = await clawJson(workspace, ["uninstall"], { env });
    expect([snapshot(cwd).lasting, snapshot(home).lasting]).toEqual(before);
    expect(plan).toMatchObject({
      effect: "would_delete",
      removed: [
        { what: "daemon", path: clawsFile(workspace, "claws.sock") },
        { what: "service", path: service },
        { what: "completion", path: join(home, ".config/fish/completions/claw.fish") },
        { what: "cache", path: cache },
        { what: "secrets" },
        { what: "secrets" },
      ],
    });
    const done = await clawJson(workspace, ["uninstall", "--yes"], { env });
    expect(done).toMatchObject({ effect: "deleted" });
    for (const path of [clawsFile(workspace, "daemon.json"), String(service), secrets, gone, cache]) {
      expect([path, existsSync(path)]).toEqual([path, false]);
    }
    for (const path of [other, join(cwd, ".claw/sessions/mine.jsonl"), clawsFile(workspace, "log")]) {
      expect([path, existsSync(path)]).toEqual([path, true]);
    }
    expect(await clawJson(workspace, ["uninstall", "--yes"], { env })).toMatchObject({ effect: "noop", removed: [] });
  });

  test("--data removes sessions and log, and never worktrees; running workers stop it", async () => {
    const workspace = createWorkspace();
    const env = { XDG_CACHE_HOME: join(dirname(workspace.home), "cache") };
    await clawJson(workspace, ["flush-transcript", "mine", "--session-id", "mine"]);
    const work = join(clawsFile(workspace, "worktrees"), "w1", "work.txt");
    mkdirSync(dirname(work), { recursive: true });
    writeFileSync(work, "not yet merged");
    await startDaemon(workspace);
    const spawned = await clawJson(workspace, [
      "spawn",
      "wait",
      "--name",
      "busy",
      "--harness",
      "fake",
      "--scenario",
      "permission",
      "--wait",
      "boot",
    ]);
    expect(spawned.error).toBeUndefined();
    expect((await clawJson(workspace, ["uninstall", "--data", "--yes"], { env })).error).toMatchObject({
      code: "WORKER_RUNNING",
    });
    await clawJson(workspace, ["down", "--abort"]);
    const { kept } = await clawJson(workspace, ["uninstall", "--data", "--yes"], { env });
    expect(kept).toContainEqual({
      path: clawsFile(workspace, "worktrees"),
      reason: expect.stringContaining("may hold work"),
    });
    expect(readFileSync(work, "utf8")).toBe("not yet merged");
    expect(existsSync(clawsFile(workspace, "log"))).toBe(false);
    expect(existsSync(join(workspace.cwd, ".claw"))).toBe(false);
  });
});
