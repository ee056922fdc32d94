import { join } from "node:path";
import { connectOrchestrator } from "claw-client";
import type { Orchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { expect, onTestFinished, test } from "vitest";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { startDaemon } from "./daemon-process.ts";
import { createWorkspace } from "./workspace.ts";

async function startTwo(): Promise<readonly [Orchestrator, Orchestrator]> {
  const server = await startNatsServer({ folder: join(temporaryFolder(onTestFinished), "nats") });
  onTestFinished(() => server.kill());
  const start = async (machine: string): Promise<Orchestrator> => {
    const workspace = createWorkspace();
    const flags = ["--bus", server.url, "--cluster", "test", "--machine", machine];
    const { socket } = await startDaemon(workspace, ...flags);
    const client = connectOrchestrator({ channel: unixChannel(socket), name: machine });
    onTestFinished(() => client.close());
    await client.ready();
    return client;
  };
  return [await start("one"), await start("two")];
}

/** Reads and acknowledges events. Resolves with their numbers when there are as many as wanted. */
async function readOn(client: Orchestrator, wanted: number): Promise<unknown[]> {
  const events = client.subscribeDurable("note.count", { name: "audit", from: "0000:0" });
  const seen: unknown[] = [];
  for await (const item of events) {
    if (item.kind === "gap") throw new Error(`a gap: ${JSON.stringify(item)}`);
    if (item.kind !== "event") continue;
    await events.ack(item);
    seen.push((item.payload as { data: { n: unknown } }).data.n);
    if (seen.length === wanted) break;
  }
  return seen;
}

test("a durable reader that moves from one machine to another gets nothing twice that it acknowledged", async () => {
  const [one, two] = await startTwo();
  const seen: unknown[] = [];
  for (let round = 0; round < 20; round += 1) {
    const [reader, writer] = round % 2 === 0 ? [one, two] : [two, one];
    const saying = Promise.all(
      Array.from({ length: 10 }, (_, index) => writer.publish("note.count", { n: round * 10 + index })),
    );
    seen.push(...(await readOn(reader, 10)));
    await saying;
  }
  expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => index));
});

async function takeAll(events: AsyncIterable<unknown>): Promise<void> {
  for await (const item of events) expect(item).toMatchObject({ kind: "caught-up" });
}

test("of two readers on two machines the later one is served, and the earlier one is told", async () => {
  const [one, two] = await startTwo();
  const first = one.subscribeDurable("note.count", { name: "audit", from: "0000:0" });
  await first.ready();
  const reading = takeAll(first).catch((error: unknown) => error);
  const second = two.subscribeDurable("note.count", { name: "audit" });
  await second.ready();
  expect(await reading).toMatchObject({ code: "DURABLE_TAKEN_OVER" });
});
