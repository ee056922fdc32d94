import { CLIENT_LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OpenChannel } from "./connection/channel.ts";
import { memoryChannel } from "./connection/channels/memory.ts";
import { createClient } from "./create-client.ts";
import type { Receipt } from "./publishing/spool.ts";
import { createFaultyChannel } from "./testing/faulty-channel.ts";
import { createManualTimer } from "./testing/manual-timer.ts";
import { createModelBus } from "./testing/model-bus.ts";
import { startMemoryBus } from "./testing/real-bus.ts";
import { settled } from "./testing/settled.ts";

/** What may happen, in any order and at any moment. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant("publish" as const), fc.integer({ min: 1, max: 5 })) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom("cut writer" as const, "cut reader" as const), fc.constant(1)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom("deafen writer" as const, "deafen reader" as const), fc.constant(1)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("refuse" as const, "allow" as const), fc.constant(1)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("restart" as const), fc.constant(1)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant("promises" as const), fc.integer({ min: 1, max: 20 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("settle" as const), fc.constant(1)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("time" as const), fc.integer({ min: 1, max: 300 })) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface TestedBus {
  readonly channel: OpenChannel;
  restart(): Promise<void>;
}

const createModel = async (): Promise<TestedBus> => ({
  channel: memoryChannel(createModelBus().accept),
  restart: async () => undefined,
});

function createWorld(bus: TestedBus) {
  const timer = createManualTimer();
  const toWriter = createFaultyChannel(bus.channel);
  const toReader = createFaultyChannel(bus.channel);
  const writer = createClient("orchestrator", { channel: toWriter.open, name: "writer", timer });
  const reader = createClient("observer", { channel: toReader.open, name: "reader", timer });
  const seen: string[] = [];
  const follow = async (from: string | undefined): Promise<void> => {
    for await (const item of reader.subscribe("cmd.**", from === undefined ? {} : { from })) {
      if (item.kind === "event") seen.push((item.data as { text: string }).text);
    }
  };
  const receipts: Promise<Receipt>[] = [];
  const sent: string[] = [];
  const publish = (): void => {
    const text = `${sent.length}`;
    sent.push(text);
    receipts.push(writer.publish("cmd.p_999999.inject_text", { text }));
  };
  return { bus, timer, toWriter, toReader, writer, reader, seen, follow, receipts, sent, publish };
}

type World = ReturnType<typeof createWorld>;

async function perform(world: World, [does, count]: Step): Promise<void> {
  const { toWriter, toReader } = world;
  if (does === "publish") for (let index = 0; index < count; index += 1) world.publish();
  if (does === "cut writer" || does === "restart") toWriter.cut();
  if (does === "cut reader" || does === "restart") toReader.cut();
  if (does === "deafen writer") toWriter.deafen();
  if (does === "deafen reader") toReader.deafen();
  if (does === "refuse" || does === "allow") toWriter.refuse(does === "refuse");
  if (does === "promises") for (let index = 0; index < count; index += 1) await Promise.resolve();
  if (does === "settle") await settled();
  if (does === "time") world.timer.advance(count);
  if (does !== "restart") return;
  await settled();
  await world.bus.restart();
}

/** Everything works again; whoever lost a connection comes back. */
async function heal({ toWriter, toReader, timer }: World): Promise<void> {
  toWriter.refuse(false);
  toWriter.cut();
  toReader.cut();
  for (let round = 0; round < 3; round += 1) {
    await settled();
    timer.advance(CLIENT_LIMITS.retryMostMs);
  }
  await settled();
}

test.each([
  ["a model of the bus", createModel, 200],
  ["the bus", startMemoryBus, 60],
] as const)(
  "whatever breaks, %s stores every event once, in order, and a consumer is given each of them once",
  async (_name, start, numRuns) => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, fromStart) => {
      const world = createWorld(await start());
      const following = world.follow(fromStart ? "0000:0" : undefined);
      await settled();
      for (const each of steps) await perform(world, each);
      await heal(world);
      const receipts = await Promise.all(world.receipts);
      const sequences = receipts.map(({ sequence }) => sequence);
      expect(sequences).toEqual([...new Set(sequences)].sort((left, right) => left - right));
      expect(world.seen).toEqual(world.sent);
      await Promise.all([world.writer.close(), world.reader.close(), following]);
    });
    await fc.assert(property, { numRuns });
  },
  60_000,
);
