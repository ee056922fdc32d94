import * as fc from "fast-check";
import { expect } from "vitest";
import type { Beginning, Stream } from "./bus-model.ts";
import { ACK_WAIT_MS, BusModel, MAX_IN_FLIGHT } from "./bus-model.ts";
import type { Frame, Link, Reality, World } from "./model-world.ts";
import { ask, compare, createReality, pushesOf, send } from "./model-world.ts";

type Command = fc.AsyncCommand<BusModel, Reality>;

/** Those with a token of the bus to come back with, and one that names itself. */
const SLOTS = [0, 1, 2];
const NAMED_SLOT = 2;
const TOPICS = ["cmd.a.inject_text", "cmd.b.inject_text"] as const;
const PATTERNS = ["cmd.**", "cmd.a.*", "cmd.+.inject_text", "system.peer.*", "**", "cmd.b.inject_text"] as const;
const DURABLES = { one: "cmd.**", two: "cmd.a.*" } as const;
const CAPABILITIES = ["receipts", "gap", "durable", "resume"];

const linkOf = (model: BusModel, { links }: Reality, slot: number): Link => {
  const link = links[model.clients.get(slot)?.connection ?? -1];
  if (link === undefined) throw new Error(`nobody is connected in slot ${slot}`);
  return link;
};

const received =
  (reality: Reality) =>
  (stream: Stream): number =>
    pushesOf(reality, stream).length;

const isHere =
  (slot: number) =>
  (model: Readonly<BusModel>): boolean =>
    model.clients.has(slot);

/** A step of the model and the bus, after which every client has to have been pushed the same by both. */
const command = (
  name: string,
  check: (model: Readonly<BusModel>) => boolean,
  step: (model: BusModel, reality: Reality) => Promise<void>,
): Command => ({
  check,
  run: async (model, reality) => {
    await step(model, reality);
    await compare(model, reality);
  },
  toString: () => name,
});

async function sayHello(model: BusModel, reality: Reality, slot: number): Promise<void> {
  const link = await reality.world.connect();
  const connection = reality.links.push(link) - 1;
  const identity = slot === NAMED_SLOT ? { instanceNonce: "named" } : { resumeToken: reality.tokens.get(slot) };
  const who = { role: "orchestrator", peerName: `client ${slot}`, capabilities: CAPABILITIES, ...identity };
  const reply = await ask(reality, link, { cmd: "hello", protocol: "claws/2", ...who });
  expect(reply).toMatchObject({ ok: true });
  reality.tokens.set(slot, reply["resumeToken"]);
  model.join(slot, String(reply["peerId"]), connection);
}

const connect = fc.constantFrom(...SLOTS).map((slot) =>
  command(
    `connect(${slot})`,
    (model) => !model.clients.has(slot),
    (model, reality) => sayHello(model, reality, slot),
  ),
);

/** Comes again while the older connection is still there: that one is shut out. */
const takeOver = fc.constantFrom(...SLOTS).map((slot) =>
  command(`take-over(${slot})`, isHere(slot), async (model, reality) => {
    const old = linkOf(model, reality, slot);
    model.end(slot, received(reality));
    await sayHello(model, reality, slot);
    expect(old.frames().at(-1)).toMatchObject({ push: "fenced", reason: "taken-over" });
  }),
);

const disconnect = fc.constantFrom(...SLOTS).map((slot) =>
  command(`disconnect(${slot})`, isHere(slot), async (model, reality) => {
    linkOf(model, reality, slot).close();
    model.end(slot, received(reality));
    model.append({ topic: "system.peer.left", from: "server" });
  }),
);

interface Publish {
  readonly slot: number;
  readonly topic: string;
  readonly echo: boolean;
  /** Whether the envelope leaves nothing to the server. */
  readonly whole: boolean;
  readonly kind: "new" | "again" | "conflict";
}

function payloadOf(from: string, text: string, whole: boolean): Frame {
  const id = crypto.randomUUID();
  const data = { text };
  if (!whole) return { v: 1, id, schema: "cmd-inject-text-v1", data };
  const ts = "2026-01-01T00:00:00.000Z";
  return { v: 1, id, from_peer: from, from_name: "c", ts_published: ts, schema: "cmd-inject-text-v1", data };
}

/** Checks the answer to a publish; `alone` when nobody subscribed at the same time. */
type CheckReceipt = (alone: boolean) => void;

function publishNew(model: BusModel, reality: Reality, { slot, topic, echo, whole }: Publish): CheckReceipt {
  const from = model.clients.get(slot)?.peerId ?? "";
  const text = `${model.log.length}`;
  const payload = payloadOf(from, text, whole);
  const answer = send(reality, linkOf(model, reality, slot), { cmd: "publish", topic, echo, payload });
  const { least, most } = model.audienceOf({ topic, from }, echo);
  const sequence = model.append({ topic, from, text }, echo);
  reality.published.set(from, [...(reality.published.get(from) ?? []), { payload, topic, sequence }]);
  const receipt = { ok: true, sequence, cursor: `0001:${sequence}`, duplicate: false };
  return (alone) => {
    const reply = answer();
    expect(reply).toMatchObject(receipt);
    const reached = Number(reply?.["deliveredTo"]);
    expect(!alone || (reached >= least && reached <= most), `${reached} reached, not ${least} to ${most}`).toBe(true);
  };
}

/** Sends an event again, as it was or with something else under its id. */
async function publishAgain(model: BusModel, reality: Reality, { slot, kind, echo }: Publish): Promise<void> {
  const own = reality.published.get(model.clients.get(slot)?.peerId ?? "") ?? [];
  const last = own.at(-1);
  if (last === undefined) return;
  const payload = kind === "again" ? last.payload : { ...last.payload, data: { text: "another" } };
  const reply = await ask(reality, linkOf(model, reality, slot), { cmd: "publish", topic: last.topic, echo, payload });
  const first = { ok: true, sequence: last.sequence, duplicate: true };
  expect(reply).toMatchObject(kind === "again" ? first : { ok: false, error: "duplicate id with another body" });
}

const publish = fc
  .record<Publish>({
    slot: fc.constantFrom(...SLOTS),
    topic: fc.constantFrom(...TOPICS),
    echo: fc.boolean(),
    whole: fc.boolean(),
    kind: fc.constantFrom("new", "new", "new", "again", "conflict"),
  })
  .map((what) =>
    command(`publish(${JSON.stringify(what)})`, isHere(what.slot), async (model, reality) => {
      if (what.kind !== "new") return publishAgain(model, reality, what);
      const check = publishNew(model, reality, what);
      await compare(model, reality);
      return check(true);
    }),
  );

/** Where to begin: now, at the beginning, or at a share of the log. */
const place = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });

const placeIn = ({ log }: BusModel, percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : Math.floor((log.length * percent) / 100);

const cursorAt = (sequence: number | undefined): Frame =>
  sequence === undefined ? {} : { fromCursor: sequence === 0 ? "0000:0" : `0001:${sequence}` };

const beginningAt = ({ log }: BusModel, from: number | undefined): Beginning => ({
  from: from ?? log.length,
  historic: from !== undefined,
});

const subscribe = fc
  .tuple(fc.constantFrom(...SLOTS), fc.constantFrom(...PATTERNS), place)
  .map(([slot, topic, percent]) =>
    command(`subscribe(${slot}, ${topic}, ${percent})`, isHere(slot), async (model, reality) => {
      const from = placeIn(model, percent);
      const link = linkOf(model, reality, slot);
      const reply = await ask(reality, link, { cmd: "subscribe", topic, ...cursorAt(from) });
      expect(reply).toMatchObject({ ok: true, resumeCursor: `0001:${model.log.length}` });
      model.subscribe(slot, String(reply["subscriptionId"]), topic, beginningAt(model, from));
    }),
  );

/** Others publish in the same moment as somebody subscribes: each event comes once, from the log or live. */
const subscribeAmid = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), place)
  .map(([before, after, percent]) =>
    command(
      `subscribe-amid(${before}, ${after}, ${percent})`,
      (model) => model.clients.has(0) && model.clients.has(1) && model.clients.get(1)?.congested === false,
      async (model, reality) => {
        const from = placeIn(model, percent);
        const event: Publish = { slot: 0, topic: TOPICS[0], echo: false, whole: true, kind: "new" };
        const link = linkOf(model, reality, 1);
        const checks: CheckReceipt[] = [];
        // Nothing of this moment is stored when the subscription is made, so it is told of all of it.
        const beginning = beginningAt(model, from);
        for (let left = before; left > 0; left -= 1) checks.push(publishNew(model, reality, event));
        const answer = send(reality, link, { cmd: "subscribe", topic: "**", ...cursorAt(from) });
        for (let left = after; left > 0; left -= 1) checks.push(publishNew(model, reality, event));
        await reality.world.until(() => answer() !== undefined);
        model.subscribe(1, String(answer()?.["subscriptionId"]), "**", beginning);
        await compare(model, reality);
        for (const check of checks) check(false);
      },
    ),
  );

const unsubscribe = fc.nat().map((choice) =>
  command(
    `unsubscribe(${choice})`,
    ({ streams }) => streams.some(({ open }) => open),
    async (model, reality) => {
      const open = model.streams.filter((stream) => stream.open);
      const stream = open[choice % open.length];
      if (stream === undefined) return;
      const link = linkOf(model, reality, stream.slot);
      const reply = await ask(reality, link, { cmd: "unsubscribe", subscriptionId: stream.id });
      expect(reply).toMatchObject({ ok: true });
      model.close(stream, received(reality));
    },
  ),
);

const attach = fc
  .tuple(fc.constantFrom(...SLOTS), fc.constantFrom("one" as const, "two" as const), place)
  .map(([slot, name, percent]) =>
    command(
      `attach(${slot}, ${name}, ${percent})`,
      (model) => model.clients.get(slot)?.congested === false,
      async (model, reality) => {
        const from = placeIn(model, percent);
        const topic = DURABLES[name];
        // Where time cannot be set, nothing must be sent again because it passed.
        const ackWaitMs = reality.world.advance === undefined ? Number.MAX_SAFE_INTEGER : ACK_WAIT_MS;
        const settings = { durable: name, ackWaitMs, maxInFlight: MAX_IN_FLIGHT };
        const link = linkOf(model, reality, slot);
        const reply = await ask(reality, link, { cmd: "subscribe", topic, ...settings, ...cursorAt(from) });
        model.attach(slot, name, String(reply["subscriptionId"]), topic, from);
        const ackedCursor = `0001:${model.durables.get(name)?.acked}`;
        expect(reply).toMatchObject({ ok: true, durable: name, ackedCursor });
      },
    ),
  );

const acknowledge = fc
  .tuple(fc.constantFrom("one" as const, "two" as const), fc.integer({ min: 0, max: 100 }))
  .map(([name, percent]) =>
    command(
      `ack(${name}, ${percent})`,
      ({ durables }) => durables.get(name)?.reader !== undefined,
      async (model, reality) => {
        const { slot, id } = model.durables.get(name)?.reader?.stream ?? { slot: 0, id: "" };
        const sequence = placeIn(model, percent) ?? 0;
        const link = linkOf(model, reality, slot);
        const reply = await ask(reality, link, { cmd: "ack", subscriptionId: id, cursor: `0001:${sequence}` });
        model.ack(name, sequence);
        expect(reply).toMatchObject({ ok: true, ackedCursor: `0001:${model.durables.get(name)?.acked}` });
      },
    ),
  );

const congest = fc.tuple(fc.constantFrom(...SLOTS), fc.boolean()).map(([slot, on]) =>
  command(
    `congest(${slot}, ${on})`,
    (model) => model.clients.get(slot)?.congested === !on && !model.hasDurable(slot),
    async (model, reality) => {
      model.congest(slot, on);
      linkOf(model, reality, slot).congest(on);
    },
  ),
);

/** The bus ends without warning; those who were there come back, or do not. */
const crash = fc.subarray(SLOTS, { minLength: 1 }).map((returning) =>
  command(
    `crash(${returning.join()})`,
    ({ clients }) => clients.size > 0,
    async (model, reality) => {
      model.crash(received(reality));
      await reality.world.crash();
      for (const slot of returning) await sayHello(model, reality, slot);
    },
  ),
);

const advance = fc.integer({ min: 1, max: 2 * ACK_WAIT_MS }).map((ms) =>
  command(
    `advance(${ms})`,
    () => true,
    async (model, reality) => {
      model.advance(ms);
      reality.world.advance?.(ms);
    },
  ),
);

const often = (count: number, arbitrary: fc.Arbitrary<Command>): fc.Arbitrary<Command>[] =>
  Array.from({ length: count }, () => arbitrary);

/** What may happen to the bus; what needs a clock that can be set, or a client that does not read, only in the process. */
export function modelCommands(options: { readonly inProcess: boolean; readonly maxCommands: number }) {
  const peers = [...often(6, connect), takeOver, ...often(2, disconnect)];
  const events = [...often(12, publish), ...often(5, subscribe), ...often(2, unsubscribe)];
  const durable = [...often(4, attach), ...often(5, acknowledge)];
  const { maxCommands } = options;
  const others = options.inProcess
    ? [...often(3, congest), ...often(3, advance), ...often(3, subscribeAmid), crash]
    : often(2, crash);
  return fc.commands([...peers, ...events, ...durable, ...others], { maxCommands, size: "max" });
}

/** Where every run begins: everybody is connected. */
export async function startModel(world: World): Promise<{ model: BusModel; real: Reality }> {
  const [model, real] = [new BusModel(), createReality(world)];
  for (const slot of SLOTS) await sayHello(model, real, slot);
  await compare(model, real);
  return { model, real };
}
