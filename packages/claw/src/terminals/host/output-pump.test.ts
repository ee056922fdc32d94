import { expect, test } from "vitest";
import type { HostedTerminal } from "./hosted-terminal.ts";
import { createOutputPump } from "./output-pump.ts";

const PIECE = 64 * 1024;

/** A terminal that is nothing but bytes, and what a pump sends of it. */
function openPump(size: number, from = 0) {
  const state = { size, isOpen: true, isCongested: false, ended: 0, sent: [] as [number, number][] };
  const log = {
    total: () => state.size,
    read: ({ offset, limit }: { offset: number; limit: number }) => ({
      bytes: Buffer.alloc(Math.max(0, Math.min(limit, state.size - offset))),
      offset,
      total: state.size,
    }),
  };
  const pump = createOutputPump({
    terminal: { log, isOpen: () => state.isOpen } as unknown as HostedTerminal,
    from,
    congested: () => state.isCongested,
    send: (offset, bytes) => state.sent.push([offset, bytes.length]),
    ended: () => (state.ended += 1),
  });
  return { state, pump };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("history is sent in pieces, then what comes, and the end once", async () => {
  const { state, pump } = openPump(PIECE + 5, 2);
  pump.wake();
  pump.wake();
  expect(state.sent).toEqual([]);
  await turn();
  expect(state.sent).toEqual([
    [2, PIECE],
    [PIECE + 2, 3],
  ]);
  state.size += 4;
  pump.wake();
  await turn();
  expect(state.sent.at(-1)).toEqual([PIECE + 5, 4]);
  expect(state.ended).toBe(0);
  state.isOpen = false;
  pump.wake();
  await turn();
  pump.wake();
  await turn();
  expect([state.sent.length, state.ended]).toEqual([3, 1]);
});

test("others have their turn after sixteen pieces, and the end waits for the rest", async () => {
  const { state, pump } = openPump(17 * PIECE);
  state.isOpen = false;
  pump.wake();
  await turn();
  expect([state.sent.length, state.ended]).toEqual([16, 0]);
  await turn();
  expect([state.sent.length, state.ended]).toEqual([17, 1]);
});

test("a client that has enough to read is not sent more until it is woken", async () => {
  const { state, pump } = openPump(3 * PIECE);
  state.isCongested = true;
  pump.wake();
  await turn();
  await turn();
  expect(state.sent).toEqual([]);
  state.isCongested = false;
  pump.wake();
  await turn();
  expect(state.sent).toHaveLength(3);
});

test("nothing is sent after a stop", async () => {
  const { state, pump } = openPump(PIECE);
  pump.wake();
  pump.stop();
  await turn();
  pump.wake();
  await turn();
  expect([state.sent, state.ended]).toEqual([[], 0]);
});
