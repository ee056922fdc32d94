import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../claw/src/files/testing/temporary-folder.ts";
import { bundleProgram } from "../../claw/src/process/testing/bundle-program.ts";
import { connectObserver } from "./create-client.ts";
import { unixChannel } from "./node.ts";
import { connectOrchestrator } from "./orchestrator/connect-orchestrator.ts";
import { takeEvents } from "./testing/take.ts";

const BUS = new URL("testing/bus-process.ts", import.meta.url);

async function startBusProcess(program: string, folder: string): Promise<ChildProcess> {
  const child = fork(program, [folder], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("events arrive once and in order although the process of the bus is killed twice", async () => {
  const folder = temporaryFolder(onTestFinished);
  const program = await bundleProgram(BUS, folder);
  const channel = unixChannel(join(folder, "claws.sock"));
  let child = await startBusProcess(program, folder);
  const writer = connectOrchestrator({ channel, name: "writer" });
  const reader = connectObserver({ channel, name: "reader" });
  onTestFinished(async () => {
    await Promise.all([writer.close(), reader.close()]);
    await kill(child);
  });
  const events = reader.subscribe("cmd.**", { from: "0000:0" });
  const texts = Array.from({ length: 2000 }, (_, index) => `${index}`);
  const published = texts.map((text) => writer.injectText("p_999999", text));
  const seen: unknown[] = [];
  for (const count of [200, 600]) {
    while (seen.length < count) seen.push(...(await takeEvents(events, 1)).map(({ data }) => data));
    await kill(child);
    child = await startBusProcess(program, folder);
  }
  const receipts = await Promise.all(published);
  seen.push(...(await takeEvents(events, texts.length - seen.length)).map(({ data }) => data));
  expect(seen).toEqual(texts.map((text) => ({ text })));
  const again = await takeEvents(reader.subscribe("cmd.**", { from: "0000:0" }), texts.length);
  expect(again.map(({ sequence }) => sequence)).toEqual(receipts.map(({ sequence }) => sequence));
});
