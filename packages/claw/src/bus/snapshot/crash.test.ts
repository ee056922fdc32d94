import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { connectFrames } from "../../process/testing/json-lines.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { bundleProgram } from "../../process/testing/bundle-program.ts";
import type { Frame } from "../testing/bus-harness.ts";

const BUS = new URL("testing/bus-process.ts", import.meta.url);

async function start(program: string, folder: string): Promise<{ child: ChildProcess; reports: string[] }> {
  const child = fork(program, [folder], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const reports: string[] = [];
  for (;;) {
    const [message] = (await once(child, "message")) as [string];
    if (message === "listening") return { child, reports };
    reports.push(message);
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function connectTo(folder: string, role: string) {
  const { frames: answers, send } = await connectFrames(join(folder, "claws.sock"));
  /** Waits until so many answers have come in all. */
  const answered = (count: number) => until(`${count} answers`, () => answers[count - 1]);
  send({ cmd: "hello", protocol: "claws/2", role, peerName: role, instanceNonce: role });
  const peerId = (await answered(1))["peerId"];
  return { peerId, answers, send, answered };
}

test("a bus killed again and again while it takes snapshots knows every task it acknowledged", async () => {
  const folder = temporaryFolder(onTestFinished);
  const program = await bundleProgram(BUS, temporaryFolder(onTestFinished));
  const given: unknown[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { child, reports } = await start(program, folder);
    onTestFinished(() => kill(child));
    const { answers, send, answered } = await connectTo(folder, "orchestrator");
    const { peerId: assignee } = await connectTo(folder, "worker");
    send({ cmd: "task.list" });
    const listed = (await answered(2))?.["tasks"] as Frame[];
    expect(listed.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining(given));
    expect(reports).toEqual([]);
    const assign = { cmd: "task.assign", assignee, title: "t", prompt: "x".repeat(300), deliver: "publish" };
    for (let n = 0; n < 200; n += 1) send(assign);
    await answered(20 + round * 17);
    await kill(child);
    given.push(...answers.flatMap(({ taskId }) => taskId ?? []));
  }
  expect(given.length).toBeGreaterThan(100);
  expect(new Set(given).size).toBe(given.length);
});
