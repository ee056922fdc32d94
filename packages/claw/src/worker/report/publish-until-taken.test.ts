import { ClawError, LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { publishUntilTaken, retryPauseMs } from "./publish-until-taken.ts";

function stage(refusals: readonly ClawError[]) {
  const left = [...refusals];
  const lines: string[] = [];
  const pauses: number[] = [];
  let now = 0;
  const pause = (ms: number): Promise<void> => {
    pauses.push(ms);
    now += ms;
    return Promise.resolve();
  };
  const say = (): Promise<string> => {
    const refusal = left.shift();
    return refusal === undefined ? Promise.resolve("taken") : Promise.reject(refusal);
  };
  const said = publishUntilTaken({ log: (line) => lines.push(line), now: () => now, pause }, "its result", say);
  return { said, lines, pauses, left };
}

const refusal = (code: "DISK_FULL" | "SPOOL_FULL" | "PUBLISH_NOT_STORED" | "GATE_REFUSED" | "BUS_CLOSED"): ClawError =>
  new ClawError(code, code.toLowerCase(), { operation: "publish", target: "worker.p_1.complete" });

test("what is refused for want of room is said again, more and more seldom, and that is told once", async () => {
  const { said, lines, pauses } = stage([refusal("SPOOL_FULL"), refusal("DISK_FULL"), refusal("PUBLISH_NOT_STORED")]);
  expect(await said).toBe("taken");
  expect(pauses).toEqual([100, 200, 400]);
  expect(lines).toEqual([
    "its result is said again until 1970-01-02T00:00:00.000Z: spool_full",
    "its result was taken after 3 refusals",
  ]);
});

test.each(["GATE_REFUSED", "BUS_CLOSED"] as const)("what is refused with %s is not said again", async (code) => {
  const { said, pauses } = stage([refusal(code)]);
  await expect(said).rejects.toMatchObject({ code });
  expect(pauses).toEqual([]);
});

test("nothing is said for ever", async () => {
  const most = Math.ceil(LIMITS.workerRetryMs / LIMITS.workerRetryMostMs) + 20;
  const { said, left } = stage(Array.from({ length: most }, () => refusal("DISK_FULL")));
  await expect(said).rejects.toMatchObject({ code: "DISK_FULL" });
  expect(left.length).toBeGreaterThan(0);
  expect(retryPauseMs(1000)).toBe(LIMITS.workerRetryMostMs);
});
