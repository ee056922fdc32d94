import { expect, test } from "vitest";
import { VERBS } from "claw-contract/schemas";
import { connectWire, readLog, startDaemon } from "./daemon-process.ts";
import { runClaw } from "./run-claw.ts";
import { askTerminal, endHostAfterTest } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** Arguments of the verbs that need some. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  logs: ["1"],
  diff: ["nobody"],
  "wave status": ["w1"],
  wait: ["--topic", "note.x", "--since", "0000:0"],
  "stream-events": ["--wait", "c1"],
};

/** Verbs that ask the bus and are told that there is no such worker; the others succeed. */
const REFUSED: ReadonlySet<string> = new Set(["diff"]);

/** Verbs that read from the bus, or look there for what they show. */
const READING = new Set([
  ...Object.values(VERBS)
    .filter(({ effect, errors }) => effect === "read" && errors.some((code) => code === "BUS_UNREACHABLE"))
    .map(({ name }) => name as string),
  "logs",
  "status",
]);

/** How many comings and goings the log tells of. */
const peersInLog = (workspace: Workspace): number =>
  readLog(workspace).filter(({ topic }) => String(topic).startsWith("system.peer.")).length;

test("a verb that reads leaves nothing in the log, and who listens is told of it", async () => {
  const workspace = createWorkspace();
  endHostAfterTest(workspace);
  const { socket } = await startDaemon(workspace);
  const client = await connectWire(socket);
  await client.hello("orchestrator");
  await client.publish("note.x", { n: 1 });
  await client.ask({ cmd: "create", name: "shell", correlation_id: "c1" });
  await askTerminal(client, "1", { cmd: "close" });
  await client.ask({ cmd: "wave.create", waveId: "w1", manifest: ["lead"] });
  await client.ask({ cmd: "subscribe", topic: "system.peer.*" });
  const before = peersInLog(workspace);
  for (const verb of READING) {
    const exit = REFUSED.has(verb) ? 1 : 0;
    const { exitCode, stderr } = await runClaw(workspace, [...verb.split(" "), ...(ARGUMENTS[verb] ?? [])]);
    expect({ verb, exitCode, stderr: exitCode === exit ? "" : stderr }).toEqual({ verb, exitCode: exit, stderr: "" });
  }
  expect(peersInLog(workspace)).toBe(before);
  const told = client.frames().filter(({ topic }) => topic === "system.peer.left");
  expect(told.length).toBeGreaterThan(0);
  expect(told.every((frame) => !("sequence" in frame))).toBe(true);
});
