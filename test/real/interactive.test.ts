import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Frame, WireClient } from "../e2e/daemon-process.ts";
import { connectWire, isAlive } from "../e2e/daemon-process.ts";
import { textOf, until } from "../e2e/provocations.ts";
import { startClaw } from "./claw.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";

/** What Claude Code would ask at its first start is answered, and it logs in by a token, which it does not ask about. */
function pastFirstStart({ cwd, env, ...scene }: RealScene): RealScene {
  const settled = { hasCompletedOnboarding: true, projects: { [cwd]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(String(env["CLAUDE_CONFIG_DIR"]), ".claude.json"), JSON.stringify(settled));
  const asking = { permissions: { defaultMode: "default", disableAutoMode: "disable" } };
  writeFileSync(join(String(env["CLAUDE_CONFIG_DIR"]), "settings.json"), JSON.stringify(asking));
  const { ANTHROPIC_API_KEY: token, ...rest } = env;
  return { ...scene, cwd, env: { ...rest, ANTHROPIC_AUTH_TOKEN: token } };
}

/** The same for Codex: its folder is trusted, and it keeps to its model. */
function codexPastFirstStart(scene: RealScene): RealScene {
  const trusted = `\n[projects."${scene.cwd}"]\ntrust_level = "trusted"\n`;
  const kept = `\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`;
  appendFileSync(join(String(scene.env["CODEX_HOME"]), "config.toml"), trusted + kept);
  return scene;
}

/** Starts a worker in a terminal. A worker waits for its daemon for ever; after the test it does not. */
async function spawnWorker(scene: RealScene, ...args: string[]): Promise<string> {
  const { peer_id: id, pid } = await claw(scene, "spawn", "--interactive", ...args);
  onTestFinished(() => {
    if (isAlive(Number(pid)) && textOf(`/proc/${String(pid)}/cmdline`)?.includes(String(id))) {
      process.kill(Number(pid), "SIGKILL");
    }
  });
  return String(id);
}

async function claw(scene: RealScene, ...args: string[]): Promise<Frame> {
  const { stdout, stderr, exitCode } = await startClaw(scene, [...args, "--output-format", "json"]).answer;
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Frame;
}

/** A daemon in the scene's folder, and a connection to it. Nothing of it is left after the test. */
async function startDaemon(scene: RealScene): Promise<WireClient> {
  const file = (name: string): string => join(scene.cwd, ".claws", name);
  onTestFinished(async () => {
    await startClaw(scene, ["down"]).answer;
    const { pid } = JSON.parse(textOf(file("terminals.json")) ?? "{}") as { pid?: number };
    if (pid === undefined || !isAlive(pid)) return;
    process.kill(pid, "SIGTERM");
    await until("the terminal host to end", () => !isAlive(pid));
  });
  await claw(scene, "up");
  const { socket } = JSON.parse(readFileSync(file("daemon.json"), "utf8")) as { socket: string };
  const client = await connectWire(socket);
  await client.hello("orchestrator", { capabilities: ["receipts"] });
  return client;
}

/** Waits until `claw ps` says so of the only worker. */
async function untilState(scene: RealScene, state: string): Promise<Frame> {
  const seen = new Set<string>();
  for (const deadline = Date.now() + 60_000; ;) {
    const [worker = {}] = (await claw(scene, "ps"))["workers"] as Frame[];
    seen.add(`${String(worker["state"])}: ${String(worker["reason"])}`);
    if (worker["state"] === state) return worker;
    if (Date.now() > deadline) throw new Error(`never ${state}, but ${[...seen].join("; ")}`);
  }
}

test("Claude Code in a terminal reports its turns, asks by the bus, and takes what is sent to it", async () => {
  const scene = pastFirstStart(await createRealScene("claude-write"));
  const client = await startDaemon(scene);
  const id = await spawnWorker(scene, "--harness", "claude-code", "write the note");
  expect(await untilState(scene, "needs_input")).toMatchObject({ reason: expect.stringContaining("Write: ") });
  const { approvals } = await client.ask({ cmd: "approval.list" });
  const [approval] = approvals as Frame[];
  expect(approval).toMatchObject({ subject: { tool: "Write" } });
  await client.ask({ cmd: "approval.answer", approvalId: approval?.["approvalId"], decision: "approve" });
  await until("the note", () => textOf(join(scene.cwd, "out.txt")) === "written by the model\n");
  await untilState(scene, "needs_input");
  const sent = await claw(scene, "send", id, "thank you", "--wait", "acked");
  expect(sent).toMatchObject({ steps: expect.arrayContaining([expect.objectContaining({ step: "acked" })]) });
  await claw(scene, "abort", id);
});

test("Codex in a terminal says when its turn is over, and ends when it is told to", async () => {
  const scene = codexPastFirstStart(await createRealScene("text"));
  await startDaemon(scene);
  const id = await spawnWorker(scene, "--harness", "codex", "--model", "gpt-5.5", "say hello");
  expect(await untilState(scene, "needs_input")).toMatchObject({ reason: "its prompt waits", source: "hook" });
  await claw(scene, "abort", id);
  await untilState(scene, "failed");
});
