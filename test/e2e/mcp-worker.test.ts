import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { connectWire, readLog, startDaemon, stopAfterTest } from "./daemon-process.ts";
import { connectMcp } from "./mcp-scene.ts";
import { textOf } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface RunningWorker {
  readonly id: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A worker whose agent has written down its environment and goes on. */
async function startWorker(workspace: Workspace, flags: readonly string[] = []): Promise<RunningWorker> {
  const file = join(workspace.home, "agent.env");
  const scenario = join(workspace.home, "scenario.json");
  const runs = `env | grep ^CLAW > '${file}.new' && mv '${file}.new' '${file}'`;
  const tool = { type: "tool", name: "Bash", input: { command: "env" }, runs };
  writeFileSync(scenario, JSON.stringify({ steps: [tool, { type: "hang" }] }));
  const order = ["spawn", "wait", "--name", "lead", "--harness", "fake", "--scenario", scenario, ...flags];
  const spawned = await clawJson(workspace, order);
  const text = await until("the agent's environment", () => textOf(file));
  const env = Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  return { id: String(spawned["peer_id"]), env };
}

const payloads = (workspace: Workspace, topic: string): Frame[] =>
  readLog(workspace)
    .filter((line) => line.topic === topic)
    .map(({ payload }) => payload as Frame);

const FORBIDDEN = { error: { code: "PUBLISH_FORBIDDEN" } };

describe("a server that a worker's agent starts", () => {
  test("speaks for the worker, starts children of the worker, and directs no other", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    const other = await connectWire(socket);
    const otherId = await other.hello("worker", { peerName: "other" });
    const { id, env } = await startWorker(workspace, ["--budget-usd", "2", "--permission-mode", "workspace-write"]);
    const scene = await connectMcp(workspace, { env });
    const names = scene.tools.map(({ name }) => name);
    expect(names).toContain("claws_run");
    for (const name of ["claws_answer", "claws_control", "claws_review", "claws_send", "claws_budget"]) {
      expect(names).not.toContain(name);
    }

    const event = { kind: "PROGRESS", severity: "info", message: "half way" };
    expect(await scene.call("claws_publish", { topic: `worker.${id}.event`, payload: event })).toMatchObject({
      topic: `worker.${id}.event`,
    });
    expect(payloads(workspace, `worker.${id}.event`).at(-1)).toMatchObject({ from_peer: id, data: event });
    for (const [topic, payload] of [
      [`worker.${otherId}.event`, event],
      [`cmd.${otherId}.abort`, { reason: "no" }],
      ["note.a", event],
    ] as const) {
      expect(await scene.call("claws_publish", { topic, payload })).toMatchObject(FORBIDDEN);
    }
    await expect(scene.client.callTool({ name: "claws_control" })).rejects.toMatchObject({ code: -32_602 });

    const ran = await scene.call("claws_run", { mission: "help", name: "child", harness: "fake" });
    expect(ran).toMatchObject({ status: "done", workers: [{ name: "child" }] });
    expect(payloads(workspace, "system.worker.spawned").at(-1)).toMatchObject({ parent_id: id, budget: { usd: 2 } });
    expect(
      await scene.call("claws_run", { mission: "x", harness: "fake", permission_mode: "danger-full-access" }),
    ).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
    expect(await scene.call("claws_run", { mission: "x", harness: "fake", checks: ["true"] })).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
    const comings = readLog(workspace).filter(({ topic }) => topic === "system.peer.joined");
    expect(comings.filter(({ payload }) => (payload as Frame)["peerName"] === "lead")).toHaveLength(1);
  });

  test("has no more rights when the environment names the worker without its socket", async () => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    const { id } = await startWorker(workspace);
    const scene = await connectMcp(workspace, { env: { CLAW_WORKER_ID: id } });
    expect(await scene.call("claws_workers")).toMatchObject({ total: 1 });
    const abort = scene.call("claws_publish", { topic: `cmd.${id}.abort`, payload: { reason: "no" } });
    await expect(abort).rejects.toThrow("Unknown tool");
    await expect(scene.call("claws_run", { mission: "x", harness: "fake" })).rejects.toThrow("Unknown tool");
  });

  test("is refused under the name of another worker", async () => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    const { env } = await startWorker(workspace);
    const forged = await connectMcp(workspace, { env: { ...env, CLAW_WORKER_NAME: "other" } });
    expect(await forged.call("claws_workers")).toHaveProperty("error");
    const guessed = await connectMcp(workspace, { env: { ...env, CLAW_WORKER_TOKEN: `${env["CLAW_WORKER_TOKEN"]}x` } });
    expect(await guessed.call("claws_workers")).toHaveProperty("error");
  });
});

describe("keys in the server's environment", () => {
  const KEY = "sk-canary-0123456789abcdef";

  /** The variables that the daemon of a workspace was started with. */
  function daemonVariables({ cwd }: Workspace): string {
    const { pid } = JSON.parse(readFileSync(join(cwd, ".claws", "daemon.json"), "utf8")) as { pid: number };
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  }

  test.skipIf(process.platform !== "linux")(
    "reach a daemon that it starts only when the settings name them",
    async () => {
      const env = { ANTHROPIC_API_KEY: KEY, GITHUB_TOKEN: `${KEY}-2`, PLAIN: "seen" };
      const workspace = createWorkspace();

      stopAfterTest(workspace);
      const scene = await connectMcp(workspace, { args: ["--start"], env });
      await scene.call("claws_workers");
      expect(daemonVariables(workspace)).toContain("PLAIN=seen");
      expect(daemonVariables(workspace)).not.toContain(KEY);

      const other = createWorkspace();
      stopAfterTest(other);
      const settings = JSON.stringify({ mcp: { passEnv: ["ANTHROPIC_API_KEY"] } });

      mkdirSync(join(other.home, ".claw"), { recursive: true });
      writeFileSync(join(other.home, ".claw", "settings.json"), settings);
      const named = await connectMcp(other, { args: ["--start"], env });
      await named.call("claws_workers");
      expect(daemonVariables(other)).toContain(`ANTHROPIC_API_KEY=${KEY}\0`);
      expect(daemonVariables(other)).not.toContain(`${KEY}-2`);
    },
  );
});
