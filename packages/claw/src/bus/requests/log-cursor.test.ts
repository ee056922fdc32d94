import { expect, test } from "vitest";
import { join, request, startBus } from "../testing/bus-harness.ts";

test("a moment has the cursor before its first event", async () => {
  const harness = await startBus();
  const { client } = await join(harness, "worker");
  const first = harness.clock.now;
  harness.clock.now += 1000;
  // The second peer's coming is the second event.
  await join(harness, "worker");
  const cursorAt = async (time: number): Promise<unknown> =>
    (await request(client, { cmd: "log.cursor", time }))["cursor"];
  const times = [0, first, first + 1, first + 1000, first + 1001];
  expect(await Promise.all(times.map(cursorAt))).toEqual(["0001:0", "0001:0", "0001:1", "0001:1", "0001:2"]);
});

test.each([[undefined], ["yesterday"], [-1], [1e300], [Number.NaN]])("%j is no moment", async (time) => {
  const worker = await join(await startBus(), "worker");
  expect(await request(worker.client, { cmd: "log.cursor", time })).toMatchObject({
    ok: false,
    error: "time has to be milliseconds since 1970",
  });
});
