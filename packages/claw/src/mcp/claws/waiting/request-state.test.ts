import { expect, test } from "vitest";
import type { StateBinding } from "./request-state.ts";
import type { StateKeys } from "./request-state.ts";
import { createRequestStates, stateKey } from "./request-state.ts";

const HOUR_MS = 60 * 60 * 1000;
const BINDING: StateBinding = { caller: "c1", tool: "claws_wait", input: { workers: ["a"], wait_seconds: 3 } };
const PAYLOAD = { cursor: "0001:7" };

function states(keys?: StateKeys) {
  const clock = { now: 1_000_000 };
  return { clock, states: createRequestStates(() => clock.now, keys) };
}

/** Keys that outlive a process. */
function storedKeys(secret: Uint8Array = new Uint8Array(32)): StateKeys {
  const used = new Set<string>();
  return { key: stateKey(secret), use: (nonce) => !used.has(nonce) && used.add(nonce).has(nonce) };
}

test("a state gives its payload to the same call of the same caller, whatever the order of the arguments", () => {
  const { states: own } = states();
  const state = own.sign(PAYLOAD, BINDING);
  expect(own.take(state, { ...BINDING, input: { wait_seconds: 3, workers: ["a"] } })).toEqual(PAYLOAD);
});

test("a state is used once", () => {
  const { states: own } = states();
  const state = own.sign(PAYLOAD, BINDING);
  expect([own.take(state, BINDING), own.take(state, BINDING)]).toEqual([PAYLOAD, undefined]);
});

test("a state is over after an hour, and not before", () => {
  const { clock, states: own } = states();
  const [early, late] = [own.sign(PAYLOAD, BINDING), own.sign(PAYLOAD, BINDING)];
  clock.now += HOUR_MS - 1;
  expect(own.take(early, BINDING)).toEqual(PAYLOAD);
  clock.now += 1;
  expect(own.take(late, BINDING)).toBeUndefined();
});

test.each([
  ["another caller", { ...BINDING, caller: "c2" }],
  ["another tool", { ...BINDING, tool: "claws_run" }],
  ["other arguments", { ...BINDING, input: { workers: ["b"], wait_seconds: 3 } }],
])("a state does not fit %s, and stays good for its own call", (_what, binding) => {
  const { states: own } = states();
  const state = own.sign(PAYLOAD, BINDING);
  expect(own.take(state, binding)).toBeUndefined();
  expect(own.take(state, BINDING)).toEqual(PAYLOAD);
});

test("a state that was changed, cut, made up or signed with another key is refused", () => {
  const { states: own } = states();
  const state = own.sign(PAYLOAD, BINDING);
  const [prefix, body = "", seal = ""] = state.split(".");
  const claim = JSON.parse(Buffer.from(body, "base64url").toString()) as { until: number };
  const longer = Buffer.from(JSON.stringify({ ...claim, until: claim.until + 1 })).toString("base64url");
  const others = [
    "",
    ".",
    "..",
    state.slice(0, -1),
    `${state}.x`,
    `${prefix}.${body}.`,
    `${prefix}.${longer}.${seal}`,
    `other.${body}.${seal}`,
    states(storedKeys()).states.sign(PAYLOAD, BINDING),
    "x".repeat(1_000_000),
  ];
  expect(others.map((other) => own.take(other, BINDING))).toEqual(others.map(() => undefined));
});

test("with stored keys, a state outlives the process that signed it, and is used once by all of them", () => {
  const keys = storedKeys();
  const [first, second] = [states(keys).states, states(keys).states];
  const state = first.sign(PAYLOAD, BINDING);
  expect([second.take(state, BINDING), first.take(state, BINDING), second.take(state, BINDING)]).toEqual([
    PAYLOAD,
    undefined,
    undefined,
  ]);
});
