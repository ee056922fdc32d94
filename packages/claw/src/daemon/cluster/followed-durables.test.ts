import { expect, onTestFinished, test } from "vitest";
import { append, event } from "../../bus/log/log.conformance.ts";
import { openClusterDurables } from "../../cluster/index.ts";
import { createMemoryBucket } from "../../cluster/testing/memory-bucket.ts";
import { startNatsScene } from "../../cluster/testing/nats-scene.ts";
import { followedDurables } from "./followed-durables.ts";

const record = (acked: number, epoch: string) => ({ name: "a", topic: "t.**", epoch, acked });

test("a reader whose place the feed has yet to reach is served when the feed is there", async () => {
  const bucket = createMemoryBucket();
  const [one, two] = [await openClusterDurables(bucket), await openClusterDurables(bucket)];
  onTestFinished(() => [one, two].forEach((store) => store.close()));
  await one.save(record(5, "0001"));
  let head = 3;
  let reach: (there: boolean) => void = () => undefined;
  const asked: number[] = [];
  const reached = (sequence: number): Promise<boolean> => {
    asked.push(sequence);
    return new Promise((resolve) => (reach = resolve));
  };
  const store = followedDurables(two, { epoch: "0001", head: () => head, reached });
  let isServed = false;
  const attaching = store.attach?.("a").then((found) => {
    isServed = true;
    return found;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([asked, isServed]).toEqual([[5], false]);
  head = 5;
  reach(true);
  expect(await attaching).toEqual(record(5, "0001"));
});

test("a place beyond the end of the stream, and one of another epoch, are not waited for", async () => {
  const scene = await startNatsScene(onTestFinished);
  const log = await scene.openLog();
  log.follow(() => 0);
  await append(log, event("t.one"));
  const bucket = createMemoryBucket();
  const durables = await openClusterDurables(bucket);
  onTestFinished(() => durables.close());
  const store = followedDurables(durables, log);
  for (const place of [record(9, log.epoch), record(9, "0009")]) {
    await durables.save(place);
    expect(await store.attach?.("a")).toEqual(place);
  }
});
