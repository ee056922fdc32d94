import { expect, test } from "vitest";
import type { OnReply } from "claw-contract";
import type { Link } from "../connection/link.ts";
import type { MessageFrame, WireReply } from "../connection/wire-frame.ts";
import { LiveReading } from "./live-reading.ts";
import { WireSubscription } from "./wire-subscription.ts";

/** A link whose answers the test gives. */
function createScript() {
  const calls: { readonly command: unknown; readonly answer: OnReply<WireReply> }[] = [];
  const link: Link = {
    call: (command, answer) => {
      calls.push({ command: JSON.parse(`{${command}}`), answer });
      return true;
    },
    callForText: () => true,
    drained: async () => undefined,
    received: () => 0,
    run: async () => undefined,
    close: () => undefined,
  };
  return { calls, link };
}

function begin(from?: string) {
  const { calls, link } = createScript();
  const routes: unknown[] = [];
  const isOwn = (peerId: string): boolean => peerId === "p_1";
  const reading = new LiveReading({ from, fallback: undefined, own: false, newOnly: false, isOwn });
  const wire = new WireSubscription({ pattern: "cmd.{self}.**", reading, ended: () => undefined });
  const attach = (now?: string): void =>
    wire.attach({ link, peerId: "p_1", now, route: (id, to) => void routes.push([id, to === wire]) });
  attach();
  return { wire, calls, routes, attach };
}

const message = (sequence: number, topic = "cmd.p_1.pause", subscriptionId = "s_auto"): MessageFrame => ({
  push: "message",
  topic,
  from: "p_0",
  payload: sequence,
  sentAt: 0,
  sequence,
  subscriptionId,
  cursor: `0001:${sequence}`,
});

const taken = async (wire: WireSubscription, count: number): Promise<unknown[]> => {
  const items = await Promise.all(Array.from({ length: count }, () => wire.next()));
  return items.map(({ value }) => (value?.kind === "event" ? value.sequence : value));
};

test("one that begins with its connection asks for everything since that began", async () => {
  const { calls, wire, attach } = begin();
  wire.detach();
  attach("0001:4");
  calls[1]?.answer({ ok: true, subscriptionId: "s_1", resumeCursor: "0001:7" });
  wire.receive(message(5, "cmd.p_1.pause", "s_1"), 1);
  expect(calls[1]?.command).toEqual({ cmd: "subscribe", topic: "cmd.p_1.**", fromCursor: "0001:4" });
  expect(await taken(wire, 1)).toEqual([5]);
});

test("it is made again after the last event, or after where it began when there was none", () => {
  const { wire, calls, attach } = begin();
  calls[0]?.answer({ ok: true, subscriptionId: "s_1", resumeCursor: "0001:7" });
  wire.detach();
  attach();
  calls[1]?.answer({ ok: true, subscriptionId: "s_2", resumeCursor: "0001:9" });
  wire.receive(message(8, "cmd.p_1.pause", "s_2"), 1);
  wire.detach();
  attach();
  expect(calls.map(({ command }) => command)).toEqual([
    { cmd: "subscribe", topic: "cmd.p_1.**" },
    { cmd: "subscribe", topic: "cmd.p_1.**", fromCursor: "0001:7" },
    { cmd: "subscribe", topic: "cmd.p_1.**", fromCursor: "0001:8" },
  ]);
});

test("one that was ended before the answer came is taken back from the bus", () => {
  const { wire, calls, routes } = begin();
  wire.end();
  calls[0]?.answer({ ok: true, subscriptionId: "s_1", resumeCursor: "0001:7" });
  expect(calls.at(-1)?.command).toEqual({ cmd: "unsubscribe", subscriptionId: "s_1" });
  expect(routes).toEqual([]);
});
