import { ClawError } from "@claw/contract";
import { expect, test } from "vitest";
import { startBus } from "./testing/start-bus.ts";
import { createTokenStore } from "./tokens/index.ts";

const diskFull = (): never => {
  throw new ClawError("DISK_FULL", "cannot append: ENOSPC", { operation: "append", target: "token.used" });
};

test("a token that cannot be marked as used is answered with the reason, and the bus goes on", async () => {
  const tokens = { ...createTokenStore(Date.now), verify: diskFull };
  const reports: string[] = [];
  const { connect } = await startBus({ tokens, report: (text) => void reports.push(text) });
  const client = connect();
  const refusal = { ok: false, error: "storage:write-failed", code: "DISK_FULL" };
  expect(await client.hello({ role: "worker", bearer: "x" })).toMatchObject(refusal);
  expect(reports).toEqual([expect.stringContaining("hello failed")]);
  expect(await connect().ask({ cmd: "ping" })).toMatchObject({ ok: true });
});

test("an id that cannot be remembered as given out is answered with the reason", async () => {
  const ids = { nextPeer: diskFull, nextSubscription: diskFull };
  const { connect } = await startBus({ ids, report: () => undefined });
  expect(await connect().hello({ role: "worker" })).toMatchObject({ ok: false, code: "DISK_FULL" });
});
