import { expect, test } from "vitest";
import { judgeWait } from "./judge-wait.ts";

const WORKING = { name: "c", state: "working", ended: false, completion: null, reason: "why", checks: 1 } as const;
const REPORTED = { ...WORKING, state: "finished", ended: true, completion: "reported" } as const;
const CRASHED = { ...WORKING, state: "failed" } as const;

const failed = (code: string) => expect.objectContaining({ kind: "failed", code });

test.each([
  [WORKING, "complete", { kind: "waiting" }],
  [REPORTED, "complete", { kind: "waiting" }],
  [{ ...REPORTED, checks: 0 }, "complete", { kind: "met" }],
  [{ ...REPORTED, completion: "verified" }, "complete", { kind: "met" }],
  [{ ...REPORTED, completion: "failed_checks" }, "complete", { kind: "met" }],
  [{ ...REPORTED, completion: "accepted" }, "complete", { kind: "met" }],
  [CRASHED, "complete", { kind: "waiting" }],
  [{ ...CRASHED, ended: true }, "complete", failed("WORKER_FAILED")],
  [{ ...REPORTED, state: "aborted" }, "complete", failed("WORKER_ABORTED")],
  [{ ...REPORTED, completion: "rework" }, "complete", { kind: "waiting" }],
  [REPORTED, "verified", { kind: "waiting" }],
  [{ ...REPORTED, completion: "verified" }, "verified", { kind: "met" }],
  [{ ...REPORTED, completion: "accepted", checks: 0 }, "verified", { kind: "met" }],
  [{ ...REPORTED, completion: "failed_checks" }, "verified", failed("WORKER_FAILED")],
  [{ ...REPORTED, checks: 0 }, "verified", failed("WORKER_FAILED")],
  [WORKING, "needs-input", { kind: "waiting" }],
  [{ ...WORKING, state: "needs_input" }, "needs-input", { kind: "met" }],
  [REPORTED, "needs-input", failed("WORKER_ENDED")],
] as const)("of %o, waited for until %s: %o", (worker, goal, standing) => {
  expect(judgeWait(worker, goal)).toEqual(standing);
});
