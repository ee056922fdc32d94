import { randomUUID } from "node:crypto";
import { ClawError } from "claw-contract";
import { expect, test } from "vitest";
import type { EventLog } from "../log/index.ts";
import { join, request, startBus } from "../testing/bus-harness.ts";

/** A log that is away until a test says otherwise. */
function awayLog(): { isAway: boolean; alter: (log: EventLog) => EventLog } {
  const state = {
    isAway: false,
    alter: (log: EventLog): EventLog => ({
      ...log,
      append: (event, listener) => {
        const error = new ClawError("NATS_UNREACHABLE", "away", { operation: "a", target: "b", retryAfterMs: 7 });
        if (state.isAway && event.from !== "server") queueMicrotask(() => listener.failed(error));
        else log.append(event, listener);
      },
    }),
  };
  return state;
}

const events = ["one", "two", "three"].map((text) => ({ v: 1, id: randomUUID(), data: { text } }));

test("later events of a client that keeps refused ones are refused too, until the first is there again", async () => {
  const log = awayLog();
  const harness = await startBus({ alterLog: log.alter });
  const { client } = await join(harness, "orchestrator", { capabilities: ["receipts", "spool"] });
  const say = (payload: unknown) => request(client, { cmd: "publish", topic: "note.a", payload });
  const [one, two, three] = events;
  log.isAway = true;
  const away = { ok: false, error: "event-log:write-failed", code: "NATS_UNREACHABLE" };
  expect(await say(one)).toMatchObject({ ...away, retry_after_ms: 7 });
  log.isAway = false;
  expect(await say(two)).toMatchObject(away);
  expect(await say(one)).toMatchObject({ ok: true });
  expect(await say(two)).toMatchObject({ ok: true });
  expect(await say(three)).toMatchObject({ ok: true });
});

test("a client that keeps nothing is refused only what the log refuses", async () => {
  const log = awayLog();
  const harness = await startBus({ alterLog: log.alter });
  const { client } = await join(harness, "orchestrator", { capabilities: ["receipts"] });
  const say = (payload: unknown) => request(client, { cmd: "publish", topic: "note.a", payload });
  log.isAway = true;
  expect(await say(events[0])).toMatchObject({ ok: false });
  log.isAway = false;
  expect(await say(events[1])).toMatchObject({ ok: true });
});
