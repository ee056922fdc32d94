import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { readLog } from "../e2e/daemon-process.ts";
import { textOf } from "../e2e/provocations.ts";
import { say, use } from "../model-server/model-scenario.ts";
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

/** A first turn of Codex that a command holds up, and a title for it at once. */
const HELD_UP = {
  turns: [use("exec_command", { cmd: "while [ ! -e go ]; do sleep 0.1; done" }), say("Done it all.")],
  conversations: [{ prompt: "task title", turns: [say("A title")] }],
};

/** A report of another thread is activity; before a turn was seen, it is a phase. */
const TITLE_HEARD = /another thread of its agent|the agent reports/;

const logOf = (scene: RealScene): Frame[] => readLog({ cwd: scene.cwd, home: String(scene.env["HOME"]) });

const signalsIn = (scene: RealScene): Frame[] =>
  logOf(scene)
    .filter(({ topic }) => String(topic).endsWith(".signal"))
    .map(({ payload }) => (payload as { data: Frame }).data);

test("Codex in a terminal works until its own turn is over, whatever its other threads say, and ends when told to", async () => {
  const scene = codexPastFirstStart(await createRealScene(HELD_UP));
  await startDaemon(scene);
  const { id } = await spawnWorker(scene, "--interactive", "--harness", "codex", "--model", "gpt-5.5", "do it");
  const isTitle = ({ body }: { body: unknown }): boolean => JSON.stringify(body).includes("task title");
  await until("the title to be asked for", () => scene.requests().some(isTitle));
  await until("its turn to be seen", () => signalsIn(scene).some(({ signal }) => signal === "turn_started"));
  await untilState(scene, "working");
  await until("the title's report", () => TITLE_HEARD.test(JSON.stringify(logOf(scene))));
  expect(signalsIn(scene).map(({ signal }) => signal)).not.toContain("turn_ended");
  writeFileSync(join(scene.cwd, "go"), "");
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
  /** What `claw ps` says of it. */
  readonly reason: RegExp;
}[] = [
  {
    name: "Claude Code about writing a file",
    scenario: "claude-write",
    prepare: claudePastFirstStart,
    flags: CLAUDE,
    asks: /Do you want to create/,
    reason: /^Write: /,
  },
  {
    name: "Claude Code about trusting the folder",
    scenario: "text",
    flags: CLAUDE,
    asks: /Yes, I trust this folder/,
    reason: /^its terminal asks: Quick safety check: Is this a project .*\(answer: claw attach /,
    prepare: (scene) => withToken(claudeStarted(scene, false)),
  },
  {
    name: "Claude Code about the key",
    scenario: "text",
    prepare: (scene) => claudeStarted(scene),
    flags: CLAUDE,
    asks: /use this API key/,
    reason: /^its terminal asks: Do you want to use this API key\?/,
  },
  {
    name: "Codex about running a command",
    scenario: "codex-escalate",
    prepare: codexPastFirstStart,
    flags: CODEX,
    asks: /Would you like to run/,
    reason: /^its terminal asks: Would you like to run the following command\? \$ echo escalated/,
  },
  {
    name: "Codex about trusting the folder",
    scenario: "text",
    flags: CODEX,
    asks: /Trust this folder\?/,
    reason: /^its terminal asks: Trust this folder\?/,
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
    reason: /^its terminal asks: Meet GPT-6 Sol/,
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
    expect(await untilState(scene, "needs_input")).toMatchObject({ reason: expect.stringMatching(row.reason) });
    const held = await until("the reason", () => logOf(scene).find(({ topic }) => topic === "system.command.held"));
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

const ESCAPE = "\u001b";

/** Ways in which a person ends a turn of Claude Code at its terminal, of which no hook tells. */
const STOPS = [
  { name: '"No" to a question', scenario: "claude-write", shows: /Do you want to create/, keys: "3" },
  { name: "Escape at a question", scenario: "claude-write", shows: /Do you want to create/, keys: ESCAPE },
  { name: "Escape while it answers", scenario: "slow-drip", shows: /word word word word/, keys: ESCAPE },
  { name: "Escape before it answers", scenario: "hang-after-headers", shows: /esc to interrupt/, keys: ESCAPE },
] as const;

describe("a turn of Claude Code that a person stops at its terminal", () => {
  test.each(STOPS)("is over for claw too, and what was sent meanwhile is typed: $name", async (row) => {
    const scene = claudePastFirstStart(await createRealScene(row.scenario));
    const { client } = await startDaemon(scene);
    const { id } = await spawnWorker(scene, "--interactive", ...CLAUDE, "do it");
    await expect.poll(() => screenText(client, "1"), { timeout: 60_000, interval: 100 }).toMatch(row.shows);
    await until("the turn", () => signalsIn(scene).some(({ signal }) => signal === "turn_started"));
    const { sequence } = await claw(scene, "send", id, "thank you", "--wait", "none");
    client.send({ cmd: "send", id: "1", text: row.keys, newline: false });
    const ended = () => signalsIn(scene).find(({ signal }) => signal === "turn_ended");
    expect(await until("the end of the turn", ended)).toMatchObject({ source: "terminal" });
    // Claude Code gives back a prompt that the model had not begun to answer: it is a draft, and left alone.
    const isDraft = row.scenario === "hang-after-headers";
    const topic = isDraft ? "system.command.held" : "system.command.submitted";
    const reason = isDraft ? { reason: "the worker's prompt holds another text" } : {};
    const fits = (event: Frame): boolean =>
      event["topic"] === topic && JSON.stringify(event).includes(reason.reason ?? "");
    const found = await until(topic, () => logOf(scene).find(fits));
    expect(found).toMatchObject({ payload: { sequence, ...reason } });
    await claw(scene, "abort", id);
  });
});

/** First starts whose dialog a flag answers. */
const ANSWERED: readonly Pick<(typeof QUESTIONS)[number], "name" | "prepare" | "flags">[] = [
  {
    name: "Claude Code, the folder and the key",
    prepare: (scene) => claudeStarted(scene, false),
    flags: [...CLAUDE, "--trust-folder", "--use-api-key"],
  },
  {
    name: "Codex, the repository",
    prepare: (scene) => {
      spawnSync("git", ["init", "--quiet"], { cwd: scene.cwd });
      return codexKeepsModel(scene);
    },
    flags: [...CODEX, "--trust-folder"],
  },
];

test.each(ANSWERED)(
  "what a flag answers beforehand is not asked at a first start: $name",
  async ({ prepare, flags }) => {
    const scene = prepare(await createRealScene("text"));
    await startDaemon(scene);
    const { id } = await spawnWorker(scene, "--interactive", ...flags, "say hello");
    const ended = () => signalsIn(scene).find(({ signal }) => signal === "turn_ended");
    expect(await until("its turn", ended)).toMatchObject({ source: "hook" });
    expect(JSON.stringify(signalsIn(scene))).not.toContain("its terminal asks");
    await claw(scene, "abort", id);
  },
);
