import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { createRates } from "./rates.ts";

function scene(perSecond = 3) {
  const clock = { now: 1_000_000 };
  const rates = createRates(perSecond, () => clock.now);
  /** How many of a peer's publishes pass until one is refused. */
  const drain = (peerId: string, origin = "local", topic = "worker.x.event"): number => {
    let passed = 0;
    while (rates.of(peerId, topic, () => origin).take(clock.now).ok) passed += 1;
    return passed;
  };
  return { clock, rates, drain };
}

describe("rates", () => {
  test("are each peer's own, and each topic's", () => {
    const { drain } = scene();
    const other = "worker.x.phase";
    expect([drain("a"), drain("b"), drain("a"), drain("a", "local", other)]).toEqual([3, 3, 0, 3]);
  });

  test("on topics that peers make up end with the peer's total", () => {
    const { clock, rates, drain } = scene();
    const passed = Array.from({ length: 20 }, (_, n) => drain("a", "local", `x${n}.y`));
    expect(passed.reduce((sum, count) => sum + count, 0)).toBe(3 * LIMITS.publishTotalFactor);
    for (let n = 0; n <= 2 * LIMITS.ratedTopics; n += 1) rates.of("a", `z${n}`, () => "local").take(clock.now);
    expect(drain("a", "local", "x0.y")).toBe(0);
  });

  test("leave one heartbeat a second to a peer that floods everything else", () => {
    const { clock, drain } = scene();
    for (let n = 0; n < 20; n += 1) drain("a", "local", `worker.a.x${n}`);
    expect(drain("a", "local", "worker.a.heartbeat")).toBe(1);
    clock.now += 200;
    for (let n = 0; n < 20; n += 1) drain("a", "local", `worker.a.x${n}`);
    expect(drain("a", "local", "worker.a.heartbeat")).toBe(0);
    clock.now += 800;
    for (let n = 0; n < 20; n += 1) drain("a", "local", `worker.a.x${n}`);
    expect(drain("a", "local", "worker.a.heartbeat")).toBe(1);
  });

  test("of a topic with the peer's own id are not renewed under another id", () => {
    const { rates, drain } = scene();
    expect(drain("p_1", "local", "worker.p_1.event")).toBe(3);
    rates.leave("p_1");
    expect(drain("p_2", "local", "worker.p_2.event")).toBe(0);
  });

  test("are not renewed by connecting again, under the same id or another", () => {
    const { rates, drain } = scene();
    expect(drain("fp_1")).toBe(3);
    rates.leave("fp_1");
    expect(drain("fp_1")).toBe(0);
    rates.leave("fp_1");
    expect(drain("p_2")).toBe(0);
  });

  test("grow on while nobody is connected", () => {
    const { clock, rates, drain } = scene();
    drain("a");
    rates.leave("a");
    clock.now += 334;
    expect(drain("b")).toBe(1);
    rates.leave("b");
    clock.now += 1000;
    expect(drain("c")).toBe(3);
  });

  test("used up by one leave those of another origin alone", () => {
    const { rates, drain } = scene();
    drain("a", "token 1");
    rates.leave("a");
    expect([drain("b", "token 2"), drain("c", "token 1")]).toEqual([3, 0]);
  });

  test("cannot be had by leaving many that used little", () => {
    const { clock, rates, drain } = scene();
    drain("noisy");
    rates.leave("noisy");
    for (const decoy of ["d1", "d2", "d3"]) {
      rates.of(decoy, "worker.x.event", () => "elsewhere").take(clock.now);
      rates.leave(decoy);
    }
    expect(drain("next")).toBe(0);
  });

  test("of those who left are forgotten: after a second, and when there are too many", () => {
    const { rates, drain } = scene(1);
    for (let n = 0; n <= LIMITS.rateLeavings; n += 1) {
      drain(`p${n}`, `origin ${n}`);
      rates.leave(`p${n}`);
    }
    expect([drain("x", "origin 0"), drain("y", "origin 1"), drain("z", `origin ${LIMITS.rateLeavings}`)]).toEqual([
      1, 0, 0,
    ]);
  });
});
