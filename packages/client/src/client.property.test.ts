import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryChannel } from "./channels/memory.ts";
import { CLIENT_LIMITS } from "./client-limits.ts";
import { createClient } from "./client.ts";
import type { Receipt } from "./spool.ts";
import { createFaultyChannel } from "./testing/faulty-channel.ts";
import { createManualTimer } from "./testing/manual-timer.ts";
import { createModelBus } from "./testing/model-bus.ts";
import { turns } from "./testing/turns.ts";

/** What may happen, in any order and at any moment. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("publish" as const), count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("cut writer" as const, "cut reader" as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("mute" as const, "unmute" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom("refuse" as const, "allow" as const) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("turns" as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("time" as const), count: fc.integer({ min: 1, max: 300 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function createWorld() {
  const bus = createModelBus();
  const timer = createManualTimer();
  const [toWriter, toReader] = [1, 2].map(() => createFaultyChannel(memoryChannel(bus.accept))) as [
    ReturnType<typeof createFaultyChannel>,
    ReturnType<typeof createFaultyChannel>,
  ];
  const writer = createClient("orchestrator", { channel: toWriter.open, name: "writer", timer });
  const reader = createClient("observer", { channel: toReader.open, name: "reader", timer });
  const seen: string[] = [];
  const follow = async (from: string | undefined): Promise<void> => {
    for await (const item of reader.subscribe("note.**", from === undefined ? {} : { from })) {
      if (item.kind === "event") seen.push((item.data as { text: string }).text);
    }
  };
  const receipts: Promise<Receipt>[] = [];
  const sent: string[] = [];
  const publish = (): void => {
    const text = `${sent.length}`;
    sent.push(text);
    receipts.push(writer.publish("note.text", { text }));
  };
  return { bus, timer, toWriter, toReader, writer, reader, seen, follow, receipts, sent, publish };
}

type World = ReturnType<typeof createWorld>;

async function perform(world: World, { does, ...rest }: Step): Promise<void> {
  const count = "count" in rest ? rest.count : 1;
  if (does === "publish") for (let index = 0; index < count; index += 1) world.publish();
  if (does === "cut writer") world.toWriter.cut();
  if (does === "cut reader") world.toReader.cut();
  if (does === "mute") world.bus.silent.add("publish");
  if (does === "unmute") world.bus.silent.clear();
  if (does === "refuse" || does === "allow") world.toWriter.refuse(does === "refuse");
  if (does === "turns") await turns(count);
  if (does === "time") world.timer.advance(count);
}

/** Everything works again; whoever lost a connection comes back. */
async function heal(world: World): Promise<void> {
  world.bus.silent.clear();
  world.toWriter.refuse(false);
  world.toWriter.cut();
  for (let round = 0; round < 3; round += 1) {
    await turns(4);
    world.timer.advance(CLIENT_LIMITS.retryMostMs);
  }
  await turns(4);
}

test("whatever breaks, every event is stored once, in order, and every consumer is given each of them once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, fromStart) => {
      const world = createWorld();
      const following = world.follow(fromStart ? "0000:0" : undefined);
      await turns(4);
      for (const each of steps) await perform(world, each);
      await heal(world);
      const receipts = await Promise.all(world.receipts);
      expect(receipts.map(({ sequence }) => sequence)).toEqual(world.sent.map((_, index) => index + 1));
      expect(world.bus.log).toHaveLength(world.sent.length);
      expect(world.seen).toEqual(world.sent);
      await Promise.all([world.writer.close(), world.reader.close(), following]);
    }),
    { numRuns: 200 },
  );
}, 60_000);
