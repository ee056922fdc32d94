import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { installFakes } from "./install-fakes.ts";
import { BINARY, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

const STREAM = ["--output-format", "stream-json", "--verbose"];

const typesOf = (stdout: string): unknown[] => jsonLines(stdout).map(({ type }) => type);

interface Agent {
  readonly child: ChildProcess & { readonly stdout: Readable };
  readonly ended: Promise<unknown[]>;
}

function start(workspace: Workspace, args: readonly string[]): Agent {
  const child = spawn(process.execPath, [BINARY, "fake-agent", ...args], {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace),
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") };
}

describe("a fake on the PATH", () => {
  test.each([
    ["claude", `claude -p "do it" ${STREAM.join(" ")}`, ["system", "assistant", "result"]],
    [
      "claude with the prompt on stdin",
      `echo "do it" | claude -p ${STREAM.join(" ")}`,
      ["system", "assistant", "result"],
    ],
    [
      "codex",
      'codex exec --json --skip-git-repo-check "do it" </dev/null',
      ["thread.started", "turn.started", "item.completed", "turn.completed"],
    ],
  ])("stands in for %s", async (_name, line, types) => {
    const workspace = createWorkspace();
    const env = cleanEnvironment(workspace, { PATH: installFakes(workspace, "echo") });
    const child = spawn("sh", ["-c", line], { cwd: workspace.cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const { exitCode, stdout } = await outputOf(child);
    expect(exitCode).toBe(0);
    expect(typesOf(stdout)).toEqual(types);
    expect(stdout).toContain("You asked: do it");
  });

  test("plays a file as well as a name, and refuses both clearly on stderr", async () => {
    const workspace = createWorkspace();
    writeFileSync(
      join(workspace.cwd, "mine.json"),
      JSON.stringify({ steps: [{ type: "text", text: "From a file." }] }),
    );
    writeFileSync(join(workspace.cwd, "bad.json"), JSON.stringify({ steps: [{ type: "text" }] }));
    const play = (scenario: string) => runClaw(workspace, ["fake-agent", "claude", "--scenario", scenario, "-p", "hi"]);
    expect(await play("mine.json")).toEqual({ exitCode: 0, signal: null, stdout: "From a file.\n", stderr: "" });
    const [bad, none] = [await play("bad.json"), await play("none")];
    expect([bad.exitCode, bad.stdout, none.exitCode, none.stdout]).toEqual([1, "", 1, ""]);
    expect(bad.stderr).toContain("error[fake_scenario_invalid]: bad.json is no scenario: steps[0].text: ");
    expect(none.stderr).toContain("Built in: text, ");
  });

  test("passes every flag on, also those claw has itself", async () => {
    const workspace = createWorkspace();
    const { stdout } = await runClaw(workspace, ["fake-agent", "claude", "--version"]);
    const help = await runClaw(workspace, ["fake-agent", "codex", "--help"]);
    expect([stdout, help.stdout.split("\n")[0]]).toEqual([
      "2.1.325 (Claude Code)\n",
      "Usage: codex exec --json [OPTIONS] [PROMPT]",
    ]);
    const own = await runClaw(workspace, ["fake-agent", "--help"]);
    expect(own.stdout).toContain("Usage: claw fake-agent [claude|codex] [flags] [ARGS ...]");
  });

  test("leaves the last message where it was told to", async () => {
    const workspace = createWorkspace();
    await runClaw(workspace, ["fake-agent", "codex", "exec", "--json", "-o", "last.txt", "-"], { stdin: "hello" });
    expect(readFileSync(join(workspace.cwd, "last.txt"), "utf8")).toBe("Hello from the fake agent.");
  });
});

describe("a fake as a process", () => {
  const claude = (scenario: string): string[] => ["claude", "--scenario", scenario, "-p", "go", ...STREAM];

  test("dies by a signal when the scenario says so", async () => {
    const { ended } = start(createWorkspace(), claude("crash"));
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  test.each([
    ["claude", ["claude", "--scenario", "hang", "-p", "go", ...STREAM], [143, null]],
    ["codex", ["codex", "--scenario", "hang", "exec", "--json", "go"], [null, "SIGTERM"]],
  ])("hangs until SIGTERM ends it as the real %s ends", async (_name, args, end) => {
    const { child, ended } = start(createWorkspace(), args);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended).toEqual(end);
  });

  test("may not mind SIGTERM, but nothing withstands SIGKILL", async () => {
    const { child, ended } = start(createWorkspace(), claude("stubborn"));
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    const second = start(createWorkspace(), claude("linger"));
    let text = "";
    for await (const chunk of second.child.stdout) {
      text += String(chunk);
      if (text.includes('"type":"result"')) second.child.kill("SIGKILL");
    }
    expect(await second.ended).toEqual([null, "SIGKILL"]);
  });

  test("writes a large line whole, however slowly it is read", async () => {
    const { child, ended } = start(createWorkspace(), claude("huge-line"));
    let bytes = 0;
    let lines = 0;
    for await (const chunk of child.stdout) {
      bytes += (chunk as Buffer).length;
      lines += (chunk as Buffer).filter((byte) => byte === 10).length;
    }
    expect([bytes > 40_000_000, lines, await ended]).toEqual([true, 3, [0, null]]);
  });

  test("ends when nobody reads it any more", async () => {
    const { child, ended } = start(createWorkspace(), claude("huge-stream"));
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect(await ended).toEqual([1, null]);
  });

  test("hears SIGTERM while its reader does not read", async () => {
    const { child, ended } = start(createWorkspace(), claude("huge-stream"));
    await once(child.stdout, "readable");
    child.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
  });
});
