import type { StreamInfo } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { findStream } from "./find-stream.ts";

const seen = { created: "2026-01-02T03:04:05Z", head: 7 };

/** A stream whose leader knows these newest sequences, one answer after another; the last answer stays. */
function asked(replicas: number, ...newest: number[]) {
  const answers = newest.map(
    (last_seq) => ({ config: { num_replicas: replicas }, created: seen.created, state: { last_seq } }) as StreamInfo,
  );
  const info = (): Promise<StreamInfo> => {
    const [first] = answers.length > 1 ? answers.splice(0, 1) : answers;
    return first === undefined ? Promise.reject(new Error("no answer is left")) : Promise.resolve(first);
  };
  return { manager: { streams: { info } }, stream: "claw_test", seen };
}

const newestOf = async (asking: Parameters<typeof findStream>[0]): Promise<number> =>
  (await findStream(asking)).state.last_seq;

test("a leader that is behind what was seen is waited for", async () => {
  expect(await newestOf(asked(3, 5, 6, 8))).toBe(8);
});

test("a stream that stays behind was restored to an older point", async () => {
  expect(await newestOf({ ...asked(3, 5), behindMs: 0 })).toBe(5);
});

test("a stream on a single server has no other leader", async () => {
  expect(await newestOf(asked(1, 5, 8))).toBe(5);
});
