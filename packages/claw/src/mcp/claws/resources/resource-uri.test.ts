import { expect, test } from "vitest";
import { fleetUri, readResourceUri, workerUri } from "./resource-uri.ts";

test("an address names a worker, its diff, a fleet, the questions or the log", () => {
  expect(readResourceUri(workerUri("a b/c"))).toEqual({ kind: "worker", id: "a b/c" });
  expect(readResourceUri(`${workerUri("p_1")}/diff`)).toEqual({ kind: "diff", id: "p_1" });
  expect(readResourceUri(fleetUri("ü"))).toEqual({ kind: "fleet", name: "ü" });
  expect(readResourceUri("claw://approvals")).toEqual({ kind: "approvals" });
  expect(readResourceUri("claw://log")).toEqual({ kind: "log", from: null });
  expect(readResourceUri("claw://log?from=0001:7")).toEqual({ kind: "log", from: "0001:7" });
});

test.each([
  "",
  "claw",
  "claw://",
  "claw://workers",
  "claw://workers/",
  "claw://workers/a/b",
  "claw://workers/a/diff/b",
  "claw://workers/%E0%A4%A",
  "claw://fleets",
  "claw://fleets/a/b",
  "claw://approvals/a",
  "http://workers/a",
  "file:///etc/passwd",
])("%j names nothing", (uri) => {
  expect(readResourceUri(uri)).toBeUndefined();
});
