import { expect, test } from "vitest";
import { createMemoryLog } from "../log/index.ts";
import { startBus } from "./bus-harness.ts";

const PAUSE_MS = 30;

/** Many turns of the loop: no count of turns would be enough. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

test("a bus is idle only when a slow disk has committed and given back all that is read", async () => {
  const memory = createMemoryLog();
  const { connect } = await startBus({
    log: {
      ...memory,
      append: (event, listener) => void setTimeout(() => memory.append(event, listener), PAUSE_MS),
      read: (after) => pause().then(() => memory.read(after)),
    },
  });
  const client = connect();
  expect(await client.hello({ role: "observer" })).toMatchObject({ ok: true });
  const topic = "system.peer.joined";
  expect(await client.ask({ cmd: "subscribe", topic, fromCursor: "0000:0" })).toMatchObject({ ok: true });
  expect(client.pushes()).toHaveLength(1);
  expect(client.pushes("caught-up")).toHaveLength(1);
});
