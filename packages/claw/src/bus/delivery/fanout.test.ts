import { matchTopic } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Peer } from "../peers/peer.ts";
import { createFanout } from "./fanout.ts";
import type { PeerSubscription } from "./subscription.ts";

/** A subscription of a client that has no other one. */
function subscribed(pattern: string): PeerSubscription {
  const peer = { subscriptions: new Map(), capabilities: new Set(["receipts"]) } as unknown as Peer;
  return { id: pattern, peer, pattern: pattern.split(".") } as unknown as PeerSubscription;
}

const words = fc.constantFrom("cmd", "worker", "p1", "p2", "pause");
const topics = fc.array(words, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("."));
const patterns = fc
  .array(fc.oneof(words, fc.constantFrom("*", "**")), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("."));

/** Whether the subscription at a place of the list ends before the topic is asked for. */
const subscriptions = fc.array(fc.record({ pattern: patterns, ends: fc.boolean() }), { maxLength: 20 });

test("a topic has the subscriptions whose patterns it matches, oldest first, whatever the patterns begin with", () => {
  fc.assert(
    fc.property(subscriptions, topics, (wanted, topic) => {
      const fanout = createFanout();
      const all = wanted.map(({ pattern, ends }) => ({ subscription: subscribed(pattern), pattern, ends }));
      for (const { subscription } of all) fanout.add(subscription);
      fanout.for(topic);
      for (const { subscription } of all.filter(({ ends }) => ends)) fanout.remove(subscription);
      const left = all.filter(({ pattern, ends }) => !ends && matchTopic(pattern, topic));
      expect(fanout.for(topic)).toEqual(left.map(({ subscription }) => subscription));
    }),
  );
});

test("a subscription that is given again has its first place, and one removed twice changes nothing", () => {
  const fanout = createFanout();
  const [one, two] = [subscribed("cmd.p1.**"), subscribed("**")];
  for (const subscription of [one, two, one]) fanout.add(subscription);
  expect(fanout.for("cmd.p1.pause")).toEqual([one, two]);
  fanout.remove(one);
  fanout.remove(one);
  expect(fanout.for("cmd.p1.pause")).toEqual([two]);
});
