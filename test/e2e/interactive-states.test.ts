import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import { expect, test } from "vitest";
import type { Frame } from "./daemon-process.ts";
import { BINARY, clawJson } from "./run-claw.ts";
import { endHostAfterTest, printed } from "./terminal-wire.ts";
import type { WorkerScene } from "./worker-scene.ts";
import { openScene, sceneWorker } from "./worker-scene.ts";

const ASKS: FakeScenarioText = {
  steps: [
    {
      type: "permission",
      input: { command: "rm -rf build" },
      allowed: [{ type: "text", text: "The build is gone." }],
      denied: [{ type: "text", text: "The build stays." }],
    },
  ],
  later: [[{ type: "text", text: "You said: {{prompt}}" }]],
};

async function openInteractive(): Promise<WorkerScene> {
  const scene = await openScene();
  endHostAfterTest(scene.workspace);
  return scene;
}

/** Waits until `claw ps` says so of the only worker. */
async function untilSaid({ workspace }: WorkerScene, state: string, reason: RegExp): Promise<Frame> {
  for (const deadline = Date.now() + 110_000; ;) {
    const { workers } = await clawJson(workspace, ["ps"]);
    const [worker = {}] = workers as Frame[];
    if (worker["state"] === state && reason.test(String(worker["reason"]))) return worker;
    if (Date.now() > deadline) throw new Error(`never ${state} with ${String(reason)}, but ${JSON.stringify(worker)}`);
  }
}

const press = ({ client }: WorkerScene, text: string): void =>
  client.send({ cmd: "send", id: "1", text, newline: false });

test("what an agent asks at its first start, and the end of a turn that a person stops, are seen on its screen", async () => {
  const scene = await openInteractive();
  const asksFirst = { ...ASKS, terminal: { asks_first: ["Do you trust this folder?"] } };
  const worker = await scene.spawn(asksFirst, "--interactive", "--name", "mend");
  const asked = /^its terminal asks: Do you trust this folder\? \(answer: claw attach mend\)$/;
  expect(await untilSaid(scene, "needs_input", asked)).toMatchObject({ source: "terminal" });
  press(scene, "\r");
  await untilSaid(scene, "needs_input", /^Bash: rm -rf build$/);
  const sent = clawJson(scene.workspace, ["send", worker.id, "and now the docs", "--wait", "applied"]);
  press(scene, "n");
  await printed(scene.client, "1", "Interrupted");
  expect((await sent)["steps"]).toEqual(
    ["accepted", "queued", "injected", "submitted", "acked", "applied"].map((step) =>
      expect.objectContaining({ step }),
    ),
  );
  await printed(scene.client, "1", "You said: and now the docs");
  const ends = worker.events("signal").filter(({ signal }) => signal === "turn_ended");
  expect(ends.map(({ source }) => source)).toEqual(["terminal", "hook"]);
});

/** A folder with a program `codex` in it that plays Codex. */
function codexFolder({ workspace }: WorkerScene, scenario: FakeScenarioText): string {
  const [bin, file] = [join(workspace.home, "bin"), join(workspace.home, "codex.json")];
  mkdirSync(bin);
  writeFileSync(file, JSON.stringify(scenario));
  const line = `exec '${process.execPath}' '${BINARY}' fake-agent codex --scenario '${file}' "$@"`;
  writeFileSync(join(bin, "codex"), `#!/bin/sh\n${line}\n`);
  chmodSync(join(bin, "codex"), 0o755);
  return bin;
}

test("the thread in which Codex finds a title ends no turn of an interactive worker", async () => {
  const scene = await openInteractive();
  const PATH = `${codexFolder(scene, ASKS)}${delimiter}${process.env["PATH"] ?? ""}`;
  const args = ["spawn", "--harness", "codex", "--interactive", "--env", `PATH=${PATH}`, "clean up"];
  const { peer_id, pid } = await clawJson(scene.workspace, args, { env: { PATH } });
  const worker = sceneWorker(scene, String(peer_id), Number(pid));
  const ended = (found: readonly Frame[]): boolean => found.some(({ signal }) => signal === "turn_ended");
  await untilSaid(scene, "needs_input", /^its terminal asks: Bash: /);
  expect(ended(worker.events("signal"))).toBe(false);
  press(scene, "y");
  await worker.until("the end of its turn", ended, "signal");
  await untilSaid(scene, "needs_input", /^its prompt waits$/);
  expect(worker.events("signal").find(({ signal }) => signal === "turn_ended")).toMatchObject({ source: "hook" });
});
