import { describe, expect, test } from "vitest";
import type { CancelSignal } from "../cancel-signal.ts";
import { createLineAnswerer } from "./line-answerer.ts";
import type { LineFields, LineRequest } from "./line-frame.ts";

interface Work {
  readonly request: LineRequest;
  readonly signal: CancelSignal;
  readonly done: (fields: LineFields) => void;
  readonly fail: (error: Error) => void;
}

/** An answerer whose work ends when the test says so. `slow` requests are answered in turn. */
function openAnswerer() {
  const sent: unknown[] = [];
  const work: Work[] = [];
  const paused: boolean[] = [];
  const state = { congested: false };
  const answerer = createLineAnswerer({
    send: (line) => void sent.push(JSON.parse(line)),
    answer: (request, signal) => new Promise((done, fail) => void work.push({ request, signal, done, fail })),
    refuse: (error) => ({ message: String(error) }),
    isInTurn: (cmd) => cmd === "slow",
    congested: () => state.congested,
    pause: (on) => void paused.push(on),
    maxInTurn: 1,
    maxCalls: 2,
    tooMany: ({ cmd }) => new Error(`too many for ${cmd}`),
  });
  const commands = (): unknown[] => work.map(({ request }) => request.id);
  return { answerer, sent, work, paused, state, commands };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("answering", () => {
  test("answers each request with its number, whichever is done first", async () => {
    const { answerer, sent, work } = openAnswerer();
    answerer.take({ id: 1, cmd: "quick" });
    answerer.take({ id: 2, cmd: "quick" });
    work[1]?.done({ offset: 7 });
    await turn();
    work[0]?.fail(new Error("odd"));
    await turn();
    expect(sent).toEqual([
      { rid: 2, ok: true, offset: 7 },
      { rid: 1, ok: false, message: "Error: odd" },
    ]);
  });

  test("refuses what is too much at a time", async () => {
    const { answerer, sent, work, commands } = openAnswerer();
    for (const id of [1, 2, 3]) answerer.take({ id, cmd: "quick" });
    expect(sent).toEqual([{ rid: 3, ok: false, message: "Error: too many for quick" }]);
    work[0]?.done({});
    await turn();
    answerer.take({ id: 4, cmd: "quick" });
    expect(commands()).toEqual([1, 2, 4]);
  });

  test("gives up a request that its caller gives up, and no other", () => {
    const { answerer, work } = openAnswerer();
    answerer.take({ id: 1, cmd: "quick" });
    answerer.take({ id: 2, cmd: "quick" });
    answerer.take({ id: 3, cmd: "cancel", call: 2 });
    answerer.take({ id: 4, cmd: "cancel", call: 9 });
    expect(work.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });

  test("gives up all work at the end, and says nothing any more", async () => {
    const { answerer, sent, work, commands } = openAnswerer();
    answerer.take({ id: 1, cmd: "quick" });
    answerer.take({ id: 2, cmd: "slow" });
    answerer.take({ id: 3, cmd: "slow" });
    answerer.end();
    expect(work.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    for (const { done } of work) done({});
    await turn();
    answerer.take({ id: 4, cmd: "quick" });
    expect([sent, commands()]).toEqual([[], [1, 2]]);
  });
});

describe("answers in turn", () => {
  test("come one after the other, and other requests pass them", async () => {
    const { answerer, sent, work, commands } = openAnswerer();
    answerer.take({ id: 1, cmd: "slow" });
    answerer.take({ id: 2, cmd: "slow" });
    answerer.take({ id: 3, cmd: "quick" });
    expect(commands()).toEqual([1, 3]);
    work[1]?.done({});
    work[0]?.done({});
    await turn();
    expect([sent, commands()]).toEqual([
      [
        { rid: 3, ok: true },
        { rid: 1, ok: true },
      ],
      [1, 3, 2],
    ]);
  });

  test("are not begun while the connection is full", async () => {
    const { answerer, work, commands, state } = openAnswerer();
    answerer.take({ id: 1, cmd: "slow" });
    answerer.take({ id: 2, cmd: "slow" });
    state.congested = true;
    work[0]?.done({});
    await turn();
    expect(commands()).toEqual([1]);
    answerer.drained();
    await turn();
    expect(commands()).toEqual([1, 2]);
  });

  test("stop the reading when too many wait, until none waits", async () => {
    const { answerer, work, paused } = openAnswerer();
    for (const id of [1, 2]) answerer.take({ id, cmd: "slow" });
    expect(paused).toEqual([]);
    answerer.take({ id: 3, cmd: "slow" });
    expect(paused).toEqual([true]);
    for (let number = 0; number < 3; number += 1) {
      work[number]?.done({});
      await turn();
    }
    expect(paused.at(-1)).toBe(false);
    expect(paused.indexOf(false)).toBeGreaterThan(0);
  });
});
