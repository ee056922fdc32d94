import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Scene } from "./event-scene.ts";
import { begin } from "./event-scene.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire, isAlive, killHard, readLog, startDaemon } from "./daemon-process.ts";
import { runClaw } from "./run-claw.ts";
import { askTerminal, endHostAfterTest, hostOf, printed } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";

async function scene(): Promise<Scene> {
  const begun = await begin();
  endHostAfterTest(begun.workspace);
  return begun;
}

const create = async (client: WireClient, more: Frame = {}): Promise<Frame> => {
  const reply = await client.ask({ cmd: "create", wrapped: true, shellPath: "/bin/bash", ...more });
  expect(reply).toMatchObject({ ok: true, wrapped: true });
  return reply;
};

/** All output that is kept, as it is. */
async function outputOf(client: WireClient, id: string): Promise<string> {
  let text = "";
  for (let offset = 0; ;) {
    const reply = await askTerminal(client, id, { cmd: "readLog", offset, limit: 100_000, strip: false });
    expect(reply).toMatchObject({ ok: true, offset });
    text += String(reply["bytes"]);
    offset = Number(reply["nextOffset"]);
    if (reply["truncated"] === false) return text;
  }
}

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

const topicsOf = (workspace: Workspace, id: string): unknown[] =>
  readLog(workspace)
    .filter(({ topic, payload }) => {
      const fields = payload as Frame | undefined;
      return String(topic).includes(`.${id}.`) || fields?.["terminal_id"] === id;
    })
    .map(({ topic, payload }) => (String(topic).endsWith(".state") ? (payload as Frame)["to"] : topic));

const PRINTER = `for i in $(seq 1 40); do seq 1 2000; sleep 0.05; done; echo finished; sleep 600`;

describe("terminals", () => {
  test("are opened, typed into, read, asked and closed", async () => {
    const { client, workspace } = await scene();
    const { id, rid, logPath } = await create(client, {
      name: "one\u001b[31m",
      correlation_id: "c-1",
      env: { X: "y" },
    });
    expect([id, logPath, rid === id]).toEqual(["1", null, false]);
    const one = String(id);
    expect(
      await askTerminal(client, one, { cmd: "exec", command: "echo $X $CLAWS_TERMINAL_ID $TERM; (exit 3)" }),
    ).toMatchObject({
      ok: true,
      exitCode: 3,
      event: { commandLine: "echo $X $CLAWS_TERMINAL_ID $TERM; (exit 3)", output: "y 1 xterm-256color\n", exitCode: 3 },
    });
    expect(await askTerminal(client, one, { cmd: "send", text: "echo se''nt" })).toMatchObject({ mode: "wrapped" });
    await printed(client, one, "sent");
    expect(await askTerminal(client, one, { cmd: "terminal.screen" })).toMatchObject({
      text: expect.stringContaining("y 1 xterm-256color") as string,
      exact: true,
      cols: 80,
      rows: 24,
    });
    expect((await client.ask({ cmd: "list" }))["terminals"]).toMatchObject([
      {
        id: "1",
        name: "one[31m",
        wrapped: true,
        ptyMode: "pty",
        hasShellIntegration: true,
        pid: expect.any(Number) as number,
      },
    ]);
    // The shell reports the end of a command after its output.
    const ended = (): string[] => topicsOf(workspace, one).filter((topic) => topic === "command.1.end");
    await until("the shell to end the second command", () => ended().length === 2);
    const { events } = await client.ask({ cmd: "poll" });
    expect(events).toMatchObject([
      { commandLine: expect.any(String) as string, exitCode: 3, output: "y 1 xterm-256color\n" },
      { output: "sent\n" },
    ]);
    expect(await askTerminal(client, one, { cmd: "exec", command: "sleep 100", timeoutMs: 50 })).toMatchObject({
      ok: false,
      error: "exec timeout after 50ms",
    });
    // The shell may begin after the time of the call is over.
    const begun = (): string[] => topicsOf(workspace, one).filter((topic) => topic === "command.1.start");
    await until("the shell to begin the last command", () => begun().length === 3);
    expect(await askTerminal(client, one, { cmd: "close" })).toMatchObject({ ok: true, alreadyClosed: false });
    expect(await askTerminal(client, one, { cmd: "close" })).toMatchObject({ ok: true, alreadyClosed: true });
    for (const cmd of ["show", "send", "exec"]) {
      expect(await askTerminal(client, one, { cmd, command: "x" })).toMatchObject({ error: "unknown terminal id 1" });
    }
    expect(await outputOf(client, one)).toContain("sent");
    const topics = topicsOf(workspace, one);
    expect(topics.filter((topic) => topic !== "vehicle.1.content")).toEqual([
      "PROVISIONING",
      "BOOTING",
      "READY",
      "system.terminal.ready",
      "command.1.start",
      "command.1.end",
      "command.1.start",
      "command.1.end",
      "command.1.start",
      "CLOSING",
      "command.1.end",
      "CLOSED",
      "system.terminal.closed",
      "system.worker.terminated",
    ]);
    expect((await create(client))["id"]).toBe("2");
  });

  test("are opened by the verb with a program and variables instead of a shell", async () => {
    const { workspace } = await scene();
    const program = ["sh", "-c", 'echo "$WORD $0 $1"; exec sleep 600', "--name", "two"];
    // What stands behind -- is the program's, so the form of the answer is named before.
    const verb = ["terminal", "create", "--output-format", "json"];
    const open = async (...flags: string[]): Promise<unknown> =>
      JSON.parse((await runClaw(workspace, [...verb, ...flags])).stdout);
    const opened = await open("--env", "WORD=a=b", "--", ...program);
    expect(opened).toMatchObject({ exit_code: 0, terminal_id: "1", name: null });
    const shown = async (): Promise<boolean> =>
      (await runClaw(workspace, ["logs", "1"])).stdout.includes("a=b --name two");
    await until("its output", shown);
    const both = await open("--shell", "/bin/sh", "--", "sh");
    expect(both).toMatchObject({ error: { code: "INVALID_FLAG_VALUE", target: "--shell" } });
  });

  test("outlive the daemon and its whole process group, to the byte", async () => {
    const { client, workspace, daemon } = await scene();
    const { id, pid } = await create(client, { argv: ["/bin/bash", "-c", PRINTER], correlation_id: "c-9" });
    const other = await create(client, { argv: ["/bin/sh", "-c", "sleep 1; echo over; exit 4"] });
    const host = hostOf(workspace);
    process.kill(-daemon.pid, "SIGKILL");
    await until("the daemon to be gone", () => !isAlive(daemon.pid));
    const again = await startDaemon(workspace);
    const back = await connectWire(again.socket);
    expect(hostOf(workspace)).toBe(host);
    expect((await back.ask({ cmd: "list" }))["terminals"]).toContainEqual(expect.objectContaining({ id, pid }));
    expect(isAlive(Number(pid))).toBe(true);
    await printed(back, String(id), "finished");
    const lines = Array.from({ length: 2000 }, (_, index) => `${index + 1}\r\n`).join("");
    expect(sha(await outputOf(back, String(id)))).toBe(sha(`${lines.repeat(40)}finished\r\n`));
    await until("the end of the other", () =>
      topicsOf(workspace, String(other["id"])).includes("system.terminal.closed"),
    );
    expect(await outputOf(back, String(other["id"]))).toBe("over\r\n");
    const closings = topicsOf(workspace, String(other["id"])).filter((topic) => topic === "system.terminal.closed");
    expect(closings).toHaveLength(1);
  });

  test("that closed while the daemon was away are told of once, as they closed", async () => {
    const { client, workspace, daemon } = await scene();
    const { id } = await create(client, { argv: ["/bin/cat"], correlation_id: "c-7" });
    const { pid } = (await client.ask({ cmd: "list" }).then(({ terminals }) => (terminals as Frame[])[0])) ?? {};
    await killHard(daemon.pid);
    process.kill(Number(pid), "SIGTERM");
    await until("the program to be gone", () => !isAlive(Number(pid)));
    for (let round = 0; round < 2; round += 1) {
      const again = await startDaemon(workspace);
      await until("its closing", () => topicsOf(workspace, String(id)).includes("system.terminal.closed"));
      await killHard(again.pid);
    }
    const closings = readLog(workspace).filter(({ topic }) => topic === "system.terminal.closed");
    expect(closings).toMatchObject([{ payload: { terminal_id: id, close_origin: "user", correlation_id: "c-7" } }]);
  });

  test("are closed with an error when their host is killed, and others can be opened", async () => {
    const { client, workspace } = await scene();
    const { id } = await create(client);
    const host = hostOf(workspace);
    await killHard(Number(host));
    await until("the closing", () => topicsOf(workspace, String(id)).includes("system.terminal.closed"));
    expect(readLog(workspace).find(({ topic }) => topic === "system.terminal.closed")).toMatchObject({
      payload: { terminal_id: id, close_origin: "error" },
    });
    const next = await create(client);
    expect([next["id"], hostOf(workspace) === host]).toEqual(["2", false]);
    expect(await askTerminal(client, "2", { cmd: "exec", command: "echo fine" })).toMatchObject({ output: "fine\n" });
  });

  test.each(["while the daemon runs", "while it is away"])(
    "leave nothing running when their host is killed %s, whatever does not mind",
    async (when) => {
      const { client, workspace, daemon } = await scene();
      const stubborn = "trap '' HUP; echo ready; while :; do sleep 0.1; done";
      const { id, pid } = await create(client, { argv: ["/bin/sh", "-c", stubborn] });
      await printed(client, String(id), "ready");
      if (when === "while it is away") await killHard(daemon.pid);
      await killHard(Number(hostOf(workspace)));
      if (when === "while it is away") await startDaemon(workspace);
      await until("the closing", () => topicsOf(workspace, String(id)).includes("system.terminal.closed"));
      expect(isAlive(Number(pid))).toBe(false);
    },
  );

  test("that cannot be opened are refused, and leave no number behind", async () => {
    const { client } = await scene();
    const refused = [
      { cwd: "/no/such/folder" },
      { shellPath: "/no/such/shell" },
      { argv: ["no-such-program"] },
      { argv: ["a\0b"] },
    ];
    for (const more of refused) {
      expect(await client.ask({ cmd: "create", ...more })).toMatchObject({ ok: false, code: "TERMINAL_HOST_FAILED" });
    }
    expect((await client.ask({ cmd: "list" }))["terminals"]).toEqual([]);
    expect((await create(client))["id"]).toBe("5");
  });
});
