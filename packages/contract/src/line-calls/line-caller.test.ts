import { describe, expect, test } from "vitest";
import { createCancel } from "../cancel-signal.ts";
import { createAsk, createLineCaller } from "./line-caller.ts";
import type { LineReply } from "./line-frame.ts";

function openCaller() {
  const sent: unknown[] = [];
  const state = { hasRoom: true };
  const caller = createLineCaller<LineReply>({
    send: (line) => {
      sent.push(JSON.parse(line));
      return state.hasRoom;
    },
  });
  const failed = (cmd: string, why: string): Error => new Error(`${cmd} ${why}`);
  return { caller, sent, state, ask: createAsk(caller, { maxWaiting: 2, failed }) };
}

const done = (rid: number, more = {}): LineReply => ({ rid, ok: true, ...more });

describe("calls", () => {
  test("get the reply with their own number, once, in any order", () => {
    const { caller, sent } = openCaller();
    const heard: unknown[] = [];
    caller.call('"cmd":"a"', (reply) => heard.push(["a", reply]));
    caller.call('"cmd":"b"', (reply) => heard.push(["b", reply]));
    expect(sent).toEqual([
      { id: 1, cmd: "a" },
      { id: 2, cmd: "b" },
    ]);
    for (const rid of [2, 9, 1, 1]) caller.take(rid, done(rid));
    expect(heard).toEqual([
      ["b", done(2)],
      ["a", done(1)],
    ]);
  });

  test("say when the sender should wait", () => {
    const { caller, state } = openCaller();
    expect(caller.call('"cmd":"a"', () => undefined)).toBe(true);
    state.hasRoom = false;
    expect(caller.call('"cmd":"b"', () => undefined)).toBe(false);
  });

  test("end with the connection, also those made afterwards", () => {
    const { caller, sent } = openCaller();
    const heard: unknown[] = [];
    caller.call('"cmd":"a"', (reply) => heard.push(["a", reply]));
    caller.end();
    caller.end();
    expect(caller.call('"cmd":"b"', (reply) => heard.push(["b", reply]))).toBe(true);
    expect(heard).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect([sent.length, caller.waiting()]).toEqual([1, 0]);
  });
});

describe("asking", () => {
  test("resolves with any reply, a refusal too", async () => {
    const { caller, ask } = openCaller();
    const asked = ask("read", { from: 3 });
    caller.take(1, { rid: 1, ok: false, code: "X" });
    expect(await asked).toEqual({ rid: 1, ok: false, code: "X" });
  });

  test("rejects when the connection ends", async () => {
    const { caller, ask } = openCaller();
    const asked = ask("read", {});
    caller.end();
    await expect(asked).rejects.toThrow("read ended");
    await expect(ask("list", {})).rejects.toThrow("list ended");
  });

  test("rejects beyond the limit, until a reply makes room", async () => {
    const { caller, sent, ask } = openCaller();
    const [first] = [ask("a", {}), ask("b", {})];
    await expect(ask("c", {})).rejects.toThrow("c full");
    caller.take(1, done(1));
    await first;
    void ask("d", {});
    expect(sent).toMatchObject([{ cmd: "a" }, { cmd: "b" }, { cmd: "d" }]);
  });

  test("that is given up tells the other end which call it was, and drops its reply", async () => {
    const { caller, sent, ask } = openCaller();
    const { signal, cancel } = createCancel();
    const outcome = ask("wait", {}, signal).then(
      () => "answered",
      () => "given up",
    );
    cancel();
    expect(await outcome).toBe("given up");
    expect(sent).toEqual([
      { id: 1, cmd: "wait" },
      { id: 2, cmd: "cancel", call: 1 },
    ]);
    caller.take(1, done(1));
    expect(caller.waiting()).toBe(0);
  });

  test("says nothing when it is given up before it is sent, or after its reply", async () => {
    const { caller, sent, ask } = openCaller();
    const early = createCancel();
    early.cancel();
    await expect(ask("wait", {}, early.signal)).rejects.toBeUndefined();
    expect(sent).toEqual([]);
    const late = createCancel();
    const asked = ask("wait", {}, late.signal);
    caller.take(1, done(1));
    await asked;
    late.cancel();
    expect(sent).toEqual([{ id: 1, cmd: "wait" }]);
  });
});
