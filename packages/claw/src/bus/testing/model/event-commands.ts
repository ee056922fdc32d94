import * as fc from "fast-check";
import type { BusModel } from "./bus-model.ts";
import {
  beginningAt,
  command,
  cursorAt,
  isHere,
  linkOf,
  PATTERNS,
  place,
  placeIn,
  received,
  SLOTS,
  TOPICS,
} from "./model-command.ts";
import type { Frame, Reality } from "./model-world.ts";
import { agree, ask, compare, send } from "./model-world.ts";

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
    agree(reply, receipt);
    const reached = Number(reply?.["deliveredTo"]);
    if (alone && (reached < least || reached > most)) throw new Error(`${reached} reached, not ${least} to ${most}`);
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
  agree(reply, kind === "again" ? first : { ok: false, error: "duplicate id with another body" });
}

const newEvent = fc.record<Publish>({
  slot: fc.constantFrom(...SLOTS),
  topic: fc.constantFrom(...TOPICS),
  echo: fc.boolean(),
  whole: fc.boolean(),
  kind: fc.constant("new"),
});

/** Somebody stops reading while others and itself publish, and then reads again: nothing is missing. */
export const publishUnread = fc
  .tuple(fc.constantFrom(...SLOTS), fc.array(newEvent, { minLength: 2, maxLength: 6 }))
  .map(([slot, events]) =>
    command(
      `publish-unread(${slot}, ${JSON.stringify(events)})`,
      (model) => model.clients.get(slot)?.congested === false && !model.hasDurable(slot),
      async (model, reality) => {
        const link = linkOf(model, reality, slot);
        model.congest(slot, true);
        link.congest(true);
        for (const event of events) if (model.clients.has(event.slot)) publishNew(model, reality, event);
        await compare(model, reality);
        model.congest(slot, false);
        link.congest(false);
      },
    ),
  );

export const publish = fc
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

export const subscribe = fc
  .tuple(fc.constantFrom(...SLOTS), fc.constantFrom(...PATTERNS), place)
  .map(([slot, topic, percent]) =>
    command(`subscribe(${slot}, ${topic}, ${percent})`, isHere(slot), async (model, reality) => {
      const from = placeIn(model, percent);
      const link = linkOf(model, reality, slot);
      const reply = await ask(reality, link, { cmd: "subscribe", topic, ...cursorAt(from) });
      agree(reply, { ok: true, resumeCursor: `0001:${model.log.length}` });
      model.subscribe(slot, String(reply["subscriptionId"]), topic, beginningAt(model, from));
    }),
  );

/** Others publish in the same moment as somebody subscribes: each event comes once, from the log or live. */
export const subscribeAmid = fc
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

export const unsubscribe = fc.nat().map((choice) =>
  command(
    `unsubscribe(${choice})`,
    ({ streams }) => streams.some(({ open }) => open),
    async (model, reality) => {
      const open = model.streams.filter((stream) => stream.open);
      const stream = open[choice % open.length];
      if (stream === undefined) return;
      const link = linkOf(model, reality, stream.slot);
      const reply = await ask(reality, link, { cmd: "unsubscribe", subscriptionId: stream.id });
      agree(reply, { ok: true });
      model.close(stream, received(reality));
    },
  ),
);
