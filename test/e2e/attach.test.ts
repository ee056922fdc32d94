import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Scene } from "./event-scene.ts";
import { begin } from "./event-scene.ts";
import { beginClaw, killHard } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { openTerminal } from "./terminal-session.ts";
import { askTerminal, endHostAfterTest, hostOf, printed } from "./terminal-wire.ts";

/** A daemon with one terminal. */
async function scene(argv?: readonly string[]): Promise<Scene> {
  const begun = await begin();
  endHostAfterTest(begun.workspace);
  const reply = await begun.client.ask({
    cmd: "create",
    name: "work",
    ...(argv === undefined ? { shellPath: "/bin/bash", env: { PS1: "own> " } } : { argv }),
  });
  expect(reply).toMatchObject({ ok: true, id: "1" });
  return begun;
}

describe("attach", () => {
  test("shows a terminal, types into it, and leaves it running", async () => {
    const { workspace, client } = await scene();
    await askTerminal(client, "1", { cmd: "exec", command: "echo be''fore" });
    const session = openTerminal(workspace, ["attach", "work"]);
    await session.shows(/Ctrl-\\ leaves it/);
    await session.shows(/^before/m);
    session.type("echo $COLUMNS; echo ty''ped");
    session.press("Enter");
    await session.shows(/^80\ntyped/m);
    await printed(client, "1", "typed");
    session.press("C-\\");
    const screen = await session.shows(/ended with 0[^]*sleep|ended with 0[^]*isig/);
    // Below what was shown, and not over it.
    expect(screen).toMatch(/^before$[^]*^typed$[^]*^Left terminal 1; it goes on/m);
    expect(screen).toMatch(/[^-]icanon[^]*[^-]echo\b/);
    expect(await askTerminal(client, "1", { cmd: "exec", command: "echo alive" })).toMatchObject({ output: "alive\n" });
  });

  test("ends with the program, says how, and gives the terminal back", async () => {
    const { workspace } = await scene(["/bin/sh", "-c", "printf '\\033[?1049h\\033[?25linside'; read x; exit 7"]);
    const session = openTerminal(workspace, ["attach", "1"]);
    await session.shows(/inside/);
    session.press("Enter");
    const screen = await session.shows(/ended with 0[^]*isig/);
    expect(screen).toMatch(/Terminal 1 has ended with exit code 7/);
    expect(screen).toMatch(/[^-]icanon[^]*[^-]echo\b/);
  });

  test("gives the terminal back when the host is killed", async () => {
    const { workspace } = await scene();
    const session = openTerminal(workspace, ["attach", "1"]);
    await session.shows(/leaves it/);
    await session.shows(/[#$>]\s*$/);
    await killHard(Number(hostOf(workspace)));
    const screen = await session.shows(/ended with [1-9]\d*[^]*isig/);
    expect(screen).toMatch(/[^-]icanon[^]*[^-]echo\b/);
  });

  test("needs a terminal, and one to attach to", async () => {
    const { workspace } = await scene();
    expect((await clawJson(workspace, ["attach", "1"])).error).toMatchObject({ code: "INTERACTIVE_ONLY" });
    for (const id of ["2", "../../etc", "nobody", "1\u001b[31m"]) {
      expect((await clawJson(workspace, ["attach", id])).error).toMatchObject({ code: "TERMINAL_NOT_FOUND" });
    }
    expect(await clawJson(workspace, ["attach", "1", "--dry-run"])).toMatchObject({ effect: "would_update" });
  });
});

describe("logs", () => {
  test("shows what was printed, as text or as it is, from any position", async () => {
    const { workspace, client } = await scene([
      "/bin/sh",
      "-c",
      "printf '\\033[31mred\\033[0m\\nt\\303\\274\\n50%%\\r100%%\\n'; read x",
    ]);
    await printed(client, "1", "100%");
    const { stdout } = await runClaw(workspace, ["logs", "1"]);
    expect(stdout).toMatch(/^red\ntü\n100%\n/);
    const all = await clawJson(workspace, ["logs", "work"]);
    expect(all).toMatchObject({ terminal_id: "1", text: "red\ntü\n100%", offset: 0 });
    expect(await clawJson(workspace, ["logs", "1", "--since-offset", "14"])).toMatchObject({
      text: "tü\n100%",
      offset: 14,
    });
    expect((await runClaw(workspace, ["logs", "1", "--raw"])).stdout).toContain("\u001b[31mred\u001b[0m\r\n");
    expect((await clawJson(workspace, ["logs", "9"])).error).toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  });

  test("works when the daemon and the host are down", async () => {
    const { workspace, client, daemon } = await scene(["/bin/sh", "-c", "echo kept; read x"]);
    await printed(client, "1", "kept");
    await killHard(daemon.pid);
    await killHard(Number(hostOf(workspace)));
    expect(await clawJson(workspace, ["logs", "1"])).toMatchObject({ text: "kept" });
  });

  test("follows until the program ends", async () => {
    const { workspace, client } = await scene(["/bin/sh", "-c", "echo one; read x; echo two; exit 0"]);
    const call = beginClaw(workspace, ["logs", "1", "--follow", "--output-format", "stream-json"]);
    await call.line("the first line", (line) => line.includes("one"));
    await askTerminal(client, "1", { cmd: "send", text: "go" });
    const { exitCode } = await call.ended;
    expect(exitCode).toBe(0);
    await until("both lines", () => call.lines.some((line) => line.includes("two")));
  });
});
