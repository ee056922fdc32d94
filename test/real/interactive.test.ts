import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Frame } from "../e2e/daemon-process.ts";
import { readLog } from "../e2e/daemon-process.ts";
import { textOf, until } from "../e2e/provocations.ts";
import { screenText } from "../e2e/terminal-wire.ts";
import {
  claudePastFirstStart,
  claudeStarted,
  codexKeepsModel,
  codexPastFirstStart,
  codexTrustsFolder,
  withToken,
} from "./first-start.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { claw, spawnWorker, startDaemon, untilState } from "./real-workers.ts";

test("Claude Code in a terminal reports its turns, asks by the bus, and takes what is sent to it", async () => {
  const scene = claudePastFirstStart(await createRealScene("claude-write"));
  const { client } = await startDaemon(scene);
  const { id } = await spawnWorker(scene, "--interactive", "--harness", "claude-code", "write the note");
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
  const { id } = await spawnWorker(scene, "--interactive", "--harness", "codex", "--model", "gpt-5.5", "say hello");
  expect(await untilState(scene, "needs_input")).toMatchObject({ reason: "its prompt waits", source: "hook" });
  await claw(scene, "abort", id);
  await untilState(scene, "aborted");
});

const CLAUDE = ["--harness", "claude-code"];
const CODEX = ["--harness", "codex", "--model", "gpt-5.5"];

/** A question of a real agent, before anybody has answered it. */
const QUESTIONS: readonly {
  readonly name: string;
  readonly scenario: "claude-write" | "codex-escalate" | "text";
  readonly prepare: (scene: RealScene) => RealScene;
  readonly flags: readonly string[];
  readonly asks: RegExp;
}[] = [
  {
    name: "Claude Code about writing a file",
    scenario: "claude-write",
    prepare: claudePastFirstStart,
    flags: CLAUDE,
    asks: /Do you want to create/,
  },
  {
    name: "Claude Code about trusting the folder",
    scenario: "text",
    flags: CLAUDE,
    asks: /Yes, I trust this folder/,
    prepare: (scene) => withToken(claudeStarted(scene, false)),
  },
  {
    name: "Claude Code about the key",
    scenario: "text",
    prepare: (scene) => claudeStarted(scene),
    flags: CLAUDE,
    asks: /use this API key/,
  },
  {
    name: "Codex about running a command",
    scenario: "codex-escalate",
    prepare: codexPastFirstStart,
    flags: CODEX,
    asks: /Would you like to run/,
  },
  {
    name: "Codex about trusting the folder",
    scenario: "text",
    flags: CODEX,
    asks: /Trust this folder\?/,
    prepare: (scene) => {
      spawnSync("git", ["init", "--quiet"], { cwd: scene.cwd });
      return codexKeepsModel(scene);
    },
  },
  {
    name: "Codex about another model",
    scenario: "text",
    prepare: codexTrustsFolder,
    flags: CODEX,
    asks: /Use existing model/,
  },
];

describe("a text that is sent while a real agent asks", () => {
  test.each(QUESTIONS)("answers nothing, and stays queued with the reason: $name", async (row) => {
    const scene = row.prepare(await createRealScene(row.scenario));
    const { client } = await startDaemon(scene);
    const { id } = await spawnWorker(scene, "--interactive", ...row.flags, "do it");
    await expect.poll(() => screenText(client, "1"), { timeout: 60_000, interval: 100 }).toMatch(row.asks);
    const settings = codexConfig(scene);
    const { sequence } = await claw(scene, "send", id, "yes", "--wait", "none");
    const log = (): Frame[] => readLog({ cwd: scene.cwd, home: String(scene.env["HOME"]) });
    const held = await until("the reason", () => log().find(({ topic }) => topic === "system.command.held"));
    expect(held).toMatchObject({ payload: { sequence, reason: "a question is open in the worker's terminal" } });
    expect(await screenText(client, "1")).toMatch(row.asks);
    expect([existsSync(join(scene.cwd, "out.txt")), codexConfig(scene)]).toEqual([false, settings]);
    await claw(scene, "abort", id);
  });
});

const codexConfig = ({ env }: RealScene): string =>
  readFileSync(join(String(env["CODEX_HOME"]), "config.toml"), "utf8");

test("Codex in a terminal takes what is sent to it when its turn is over", async () => {
  const scene = codexPastFirstStart(await createRealScene("text"));
  await startDaemon(scene);
  const { id } = await spawnWorker(scene, "--interactive", ...CODEX, "say hello");
  await untilState(scene, "needs_input");
  const sent = await claw(scene, "send", id, "thank you\nfor all of it", "--wait", "submitted");
  expect((sent["steps"] as Frame[]).map(({ step }) => step)).toEqual(["accepted", "queued", "injected", "submitted"]);
  await until("the model to hear of it", () => JSON.stringify(scene.requests().at(-1)?.body).includes("for all of it"));
  await claw(scene, "abort", id);
});
