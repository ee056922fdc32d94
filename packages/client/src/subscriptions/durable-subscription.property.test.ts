import { CLIENT_LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { EventItem } from "./bus-item.ts";
import type { Observer } from "../create-client.ts";
import { connectObserver } from "../create-client.ts";
import { connectOrchestrator } from "../orchestrator/connect-orchestrator.ts";
import type { FaultyChannel } from "../testing/faulty-channel.ts";
import { createFaultyChannel } from "../testing/faulty-channel.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import type { MemoryBus } from "../testing/real-bus.ts";
import { startMemoryBus } from "../testing/real-bus.ts";
import { settled } from "../testing/settled.ts";

const ACK_WAIT_MS = 1000;
const TOPIC = "cmd.*.inject_text";
const ROUNDS = 40;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("publish" as const), fc.integer({ min: 1, max: 6 })) },
  { weight: 5, arbitrary: fc.tuple(fc.constant("consume" as const), fc.integer({ min: 1, max: 8 })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("wait" as const), fc.integer({ min: 100, max: 1500 })) },
  { weight: 4, arbitrary: fc.tuple(fc.constant("promises" as const), fc.integer({ min: 1, max: 20 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("settle" as const), fc.constant(1)) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom("cut", "deafen", "restart", "new reader"), fc.constant(0)),
  },
);

interface Reader {
  readonly client: Observer;
  readonly wire: FaultyChannel;
  readonly done: Promise<void>;
}

/** What readers did, whichever of them. Events are numbered from 0 by their text. */
function createRecord(acks: readonly boolean[]) {
  const wrong: string[] = [];
  const acknowledged = new Map<Observer, number>();
  let [seen, count] = [-1, 0];
  let everything = false;
  return {
    wrong,
    /** The highest number that was seen. */
    seen: (): number => seen,
    see: (reader: Observer, number: number): void => {
      const upTo = acknowledged.get(reader) ?? -1;
      if (number <= upTo) wrong.push(`${number} came after ${upTo} was acknowledged`);
      if (number > seen + 1) wrong.push(`${number} came next after ${seen}`);
      seen = Math.max(seen, number);
      count += 1;
    },
    ackAll: (): void => {
      everything = true;
    },
    wantsAck: (): boolean => everything || acks[count % acks.length] === true,
    confirm: (reader: Observer, number: number): void => {
      acknowledged.set(reader, Math.max(acknowledged.get(reader) ?? -1, number));
    },
  };
}

const numberOf = ({ data }: EventItem): number => Number((data as { text: string }).text);

async function createWorld(acks: readonly boolean[]) {
  const bus: MemoryBus = await startMemoryBus();
  const timer = createManualTimer();
  const toWriter = createFaultyChannel(bus.channel);
  const writer = connectOrchestrator({ channel: toWriter.open, name: "writer", timer });
  const record = createRecord(acks);
  const permits = { left: 0, waiting: new Set<() => void>() };
  const grant = (count: number): void => {
    permits.left += count;
    for (const wake of permits.waiting) wake();
    permits.waiting.clear();
  };
  const permission = async (): Promise<void> => {
    while (permits.left <= 0) await new Promise<void>((resolve) => permits.waiting.add(resolve));
    permits.left -= 1;
  };
  const consume = async (client: Observer): Promise<void> => {
    const events = client.subscribeDurable(TOPIC, {
      name: "audit",
      from: "0000:0",
      ackWaitMs: ACK_WAIT_MS,
      maxInFlight: 5,
    });
    for await (const item of events) {
      if (item.kind !== "event") continue;
      record.see(client, numberOf(item));
      if (record.wantsAck()) {
        events.ack(item).then(
          () => record.confirm(client, numberOf(item)),
          () => undefined,
        );
      }
      await permission();
    }
  };
  const join = (): Reader => {
    const wire = createFaultyChannel(bus.channel);
    const client = connectObserver({ channel: wire.open, name: "reader", timer });
    return { client, wire, done: consume(client).catch(() => undefined) };
  };
  let sent = 0;
  const publish = (): void => {
    writer.injectText("p_999999", `${sent}`).catch(() => undefined);
    sent += 1;
  };
  return { bus, timer, writer, toWriter, record, grant, join, publish, sent: () => sent, readers: [join()] };
}

type World = Awaited<ReturnType<typeof createWorld>>;

async function perform(world: World, [does, count]: readonly [string, number]): Promise<void> {
  const { bus, readers, toWriter } = world;
  const current = readers.at(-1);
  if (does === "publish") for (let index = 0; index < count; index += 1) world.publish();
  if (does === "consume") world.grant(count);
  if (does === "wait") bus.pass(count);
  if (does === "promises") for (let index = 0; index < count; index += 1) await Promise.resolve();
  if (does === "settle") await settled();
  if (does === "cut" || does === "restart") current?.wire.cut();
  if (does === "restart") toWriter.cut();
  if (does === "deafen") current?.wire.deafen();
  if (does === "new reader") readers.push(world.join());
  if (does !== "restart") return;
  await settled();
  await bus.restart();
}

test("whatever breaks, every event is seen by some reader in its order, and by none after it has acknowledged it", async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 30 }),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    async (steps, acks) => {
      const world = await createWorld(acks);
      await settled();
      for (const each of steps) await perform(world, each);
      const { bus, timer, writer, readers, record, grant, sent } = world;
      grant(Infinity);
      record.ackAll();
      for (let round = 0; round < ROUNDS && record.seen() < sent() - 1; round += 1) {
        readers.at(-1)?.wire.cut();
        await settled();
        timer.advance(CLIENT_LIMITS.retryMostMs);
        await settled();
        bus.pass(ACK_WAIT_MS);
        await settled();
      }
      expect([record.wrong, record.seen()]).toEqual([[], sent() - 1]);
      await Promise.all([writer.close(), ...readers.map(({ client }) => client.close())]);
      await Promise.all(readers.map(({ done }) => done));
    },
  );
  await fc.assert(property, { numRuns: 120 });
});
