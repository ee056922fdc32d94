import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { createSerial } from "./serial.ts";

test("jobs under one key run one after the other, others do not wait for them", () => {
  const serial = createSerial();
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const job = (name: string) => (release: () => void) => {
    order.push(name);
    releases.push(release);
  };
  serial.run("a", job("a1"));
  serial.run("a", job("a2"));
  serial.run("b", job("b1"));
  expect(order).toEqual(["a1", "b1"]);
  releases[0]?.();
  releases[0]?.();
  expect(order).toEqual(["a1", "b1", "a2"]);
});

test("a key takes only so many", () => {
  const serial = createSerial();
  const taken = Array.from({ length: LIMITS.queuedCommands + 2 }, () => serial.run("a", () => undefined));
  expect(taken.filter(Boolean)).toHaveLength(LIMITS.queuedCommands + 1);
});
