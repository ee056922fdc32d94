import { expect, test } from "vitest";
import { IGNORED, nameLease } from "../leases/fence.ts";
import type { EventLog, NewEvent, OwnEvent, StoredEvent } from "./event-log.ts";

export interface LogSubject {
  readonly open: () => EventLog | Promise<EventLog>;
  /** Ends a log as a crash would: nothing is closed or flushed. Undefined where a crash loses everything. */
  readonly crash?: (log: EventLog) => void;
}

/** Logs on the same events, as several daemons open them. */
export interface SharedLogSubject {
  /** `number`: the number of the lease by which the daemon holds its machine's name. */
  readonly open: (number?: () => number) => EventLog | Promise<EventLog>;
}

interface Brought {
  readonly event: StoredEvent;
  readonly own: OwnEvent | undefined;
}

/** What a log's feed brings, in its order. */
function followed(log: EventLog): { readonly seen: readonly Brought[]; whenSeen(count: number): Promise<void> } {
  const seen: Brought[] = [];
  let wake: () => void = () => undefined;
  log.follow((item, own) => {
    seen.push({ event: item, own });
    wake();
    return 0;
  });
  const whenSeen = async (count: number): Promise<void> => {
    while (seen.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { seen, whenSeen };
}

const placesIn = ({ seen }: ReturnType<typeof followed>): string[] =>
  seen.map(({ event: { topic, sequence } }) => `${sequence} ${topic}`);

export const event = (topic: string, payload: unknown = { n: 1 }): NewEvent => ({
  topic,
  from: "p_000001",
  tsServer: "2026-01-02T03:04:05.678Z",
  payload: JSON.stringify(payload),
});

export function append(log: EventLog, item: NewEvent): Promise<number> {
  return new Promise((resolve, reject) => log.append(item, { committed: resolve, failed: reject }));
}

/** What the listener of an appended event is told. */
const told = (log: EventLog, item: NewEvent): Promise<{ sequence: number; duplicate: boolean }> =>
  new Promise((resolve, reject) =>
    log.append(item, {
      committed: (sequence, _deliveredTo, duplicate = false) => resolve({ sequence, duplicate }),
      failed: reject,
    }),
  );

export async function collect(log: EventLog, after = 0): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let from = after; ;) {
    const { events, through } = await log.read(from);
    if (events.length === 0) return all;
    all.push(...events);
    from = through;
  }
}

/** What every log promises. */
export function logConformance(subject: () => LogSubject): void {
  test("an empty log has nothing to read and begins at 1", async () => {
    const log = await subject().open();
    expect({ head: log.head(), oldest: log.oldest(), events: await collect(log) }).toEqual({
      head: 0,
      oldest: 1,
      events: [],
    });
    expect(await append(log, event("a.b"))).toBe(1);
    await log.close();
  });

  test("events come back as they went in, in order, with growing sequences", async () => {
    const log = await subject().open();
    const items = ["worker.p_1.boot", "task.t_1.x", "cmd.p_1.abort"].map((topic, n) =>
      event(topic, { n, text: 'ü "\u2028' }),
    );
    const sequences = await Promise.all(items.map((item) => append(log, item)));
    expect(sequences).toEqual([1, 2, 3]);
    expect(await collect(log)).toEqual(items.map((item, at) => ({ ...item, sequence: at + 1, machine: log.machine })));
    await log.close();
  });

  test("a flush stores what was appended before it, and the order stays", async () => {
    const log = await subject().open();
    const appended = [append(log, event("a")), append(log, event("b"))];
    log.flush();
    appended.push(append(log, event("c")));
    log.flush();
    log.flush();
    expect(await Promise.all(appended)).toEqual([1, 2, 3]);
    expect((await collect(log)).map(({ topic }) => topic)).toEqual(["a", "b", "c"]);
    await log.close();
  });

  test("an event without a payload stays without one", async () => {
    const log = await subject().open();
    await append(log, { ...event("a.b"), payload: undefined });
    expect((await collect(log))[0]?.payload).toBeUndefined();
    await log.close();
  });

  test("a listener is never told before append returns", async () => {
    const log = await subject().open();
    const order: string[] = [];
    const done = new Promise<void>((resolve) => {
      log.append(event("a"), {
        committed: () => {
          order.push("committed");
          resolve();
        },
        failed: () => resolve(),
      });
      order.push("returned");
    });
    await done;
    expect(order).toEqual(["returned", "committed"]);
    await log.close();
  });

  test("reading on after any sequence gives exactly the rest", async () => {
    const log = await subject().open();
    for (let n = 0; n < 50; n += 1) await append(log, event(`t.${n}`));
    for (const after of [0, 1, 25, 49, 50]) {
      expect((await collect(log, after)).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 50 - after }, (_, n) => after + n + 1),
      );
    }
    await log.close();
  });

  test("a closed log holds what was appended before, refuses more, and can be closed again", async () => {
    const log = await subject().open();
    const [first, last] = [append(log, event("a")), append(log, event("b"))];
    await log.close();
    await log.close();
    expect(await Promise.all([first, last])).toEqual([1, 2]);
    expect((await collect(log)).map(({ topic }) => topic)).toEqual(["a", "b"]);
    await expect(append(log, event("c"))).rejects.toThrow("closed");
  });

  test("the sequence at a time is that of the last event before it", async () => {
    const log = await subject().open();
    for (const second of [1, 2, 3]) await append(log, { ...event("t"), tsServer: `2026-01-01T00:00:0${second}.000Z` });
    expect(await log.sequenceAt(new Date("2026-01-01T00:00:02.500Z"))).toBe(2);
    expect(await log.sequenceAt(new Date("2025-01-01T00:00:00.000Z"))).toBe(0);
    expect(await log.sequenceAt(new Date("2027-01-01T00:00:00.000Z"))).toBe(3);
    await log.close();
  });

  test("the sequence at a time is found in a long log too, where many events share a time", async () => {
    const log = await subject().open();
    const start = Date.parse("2026-01-01T00:00:00.000Z");
    const times = Array.from({ length: 300 }, (_, index) => start + Math.floor(index / 7) * 10);
    for (const ms of times) await append(log, { ...event("t"), tsServer: new Date(ms).toISOString() });
    for (let ms = start - 5; ms < start + 500; ms += 5) {
      expect(await log.sequenceAt(new Date(ms))).toBe(times.filter((each) => each < ms).length);
    }
    await log.close();
  });

  test("the sequence at a time is 0 in an empty log", async () => {
    const log = await subject().open();
    expect(await log.sequenceAt(new Date("2026-01-01T00:00:00.000Z"))).toBe(0);
    await log.close();
  });

  test("the feed brings each event before its listener is told, with what the publisher asked for", async () => {
    const log = await subject().open();
    const order: string[] = [];
    log.follow(({ topic, sequence }, own) => {
      order.push(`feed ${topic} ${sequence} ${JSON.stringify(own)}`);
      return 7;
    });
    const told = ["a", "b"].map(
      (topic) =>
        new Promise<void>((resolve, reject) => {
          const committed = (sequence: number, deliveredTo: number): void => {
            order.push(`told ${topic} ${sequence} ${deliveredTo}`);
            resolve();
          };
          log.append(event(topic), { own: { echo: topic === "a", isLogEntry: false }, committed, failed: reject });
        }),
    );
    await Promise.all(told);
    expect(order).toEqual([
      'feed a 1 {"echo":true,"isLogEntry":false}',
      "told a 1 7",
      'feed b 2 {"echo":false,"isLogEntry":false}',
      "told b 2 7",
    ]);
    await log.close();
  });

  test("the feed brings what is committed after it was given, and a later feed takes its place", async () => {
    const log = await subject().open();
    await append(log, event("early"));
    const first = followed(log);
    await append(log, event("a"));
    const second = followed(log);
    await append(log, event("b"));
    expect([placesIn(first), placesIn(second)]).toEqual([["2 a"], ["3 b"]]);
    expect(second.seen.map((brought) => brought.event)).toEqual(await collect(log, 2));
    await log.close();
  });

  test("what a feed appends comes after the event that caused it", async () => {
    const log = await subject().open();
    const seen: string[] = [];
    const done = new Promise<void>((resolve) => {
      log.follow(({ topic, sequence }) => {
        seen.push(`${sequence} ${topic}`);
        if (topic === "cause") void append(log, event("effect"));
        if (topic === "effect") resolve();
        return 0;
      });
    });
    await Promise.all([append(log, event("cause")), append(log, event("other")), done]);
    expect(seen).toEqual(["1 cause", "2 other", "3 effect"]);
    await log.close();
  });
}

/** What a log promises besides that several daemons write. */
export function sharedLogConformance(subject: () => SharedLogSubject): void {
  test("each feed brings the events of all writers, once and in one order", async () => {
    const { open } = subject();
    const logs = [await open(), await open(), await open()] as const;
    const feeds = logs.map(followed);
    const appended = Array.from({ length: 60 }, (_, n) => append(logs[(n % 3) as 0 | 1 | 2], event(`t.${n}`)));
    const sequences = await Promise.all(appended);
    await Promise.all(feeds.map((feed) => feed.whenSeen(60)));
    const [first = [], ...others] = feeds.map(placesIn);
    expect(others).toEqual([first, first]);
    expect(first.map((place) => Number.parseInt(place, 10))).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    expect(sequences.map((sequence, n) => `${sequence} t.${n}`).toSorted()).toEqual(first.toSorted());
    await Promise.all(logs.map((log) => log.close()));
  });

  test("an event of another writer comes without the wishes of its publisher", async () => {
    const { open } = subject();
    const [mine, other] = [await open(), await open()];
    const [own, foreign] = [followed(mine), followed(other)];
    await new Promise<void>((resolve, reject) => {
      mine.append(event("a"), { own: { echo: true, isLogEntry: false }, committed: () => resolve(), failed: reject });
    });
    await foreign.whenSeen(1);
    const [stored] = await collect(other);
    expect([own.seen, foreign.seen]).toEqual([
      [{ event: stored, own: { echo: true, isLogEntry: false } }],
      [{ event: stored, own: undefined }],
    ]);
    await Promise.all([mine.close(), other.close()]);
  });

  test("each event names the machine that wrote it", async () => {
    const { open } = subject();
    const [mine, other] = [await open(), await open()];
    const [own, foreign] = [followed(mine), followed(other)];
    await append(mine, event("a"));
    await append(other, event("b"));
    await Promise.all([own.whenSeen(2), foreign.whenSeen(2)]);
    const machines = [mine.machine, other.machine];
    expect(new Set(machines).size).toBe(2);
    for (const { seen } of [own, foreign]) expect(seen.map((brought) => brought.event.machine)).toEqual(machines);
    expect((await collect(other)).map(({ machine }) => machine)).toEqual(machines);
    await Promise.all([mine.close(), other.close()]);
  });

  test("each event names the lease under which it was written, with the number of the time of its appending", async () => {
    const { open } = subject();
    let number = 7;
    const [mine, other] = [await open(() => number), await open()];
    const feed = followed(other);
    const shared = { key: "judge", number: 3 };
    const first = append(mine, { ...event("a"), lease: "own" });
    number = 9;
    const more: NewEvent[] = [
      { ...event("b"), lease: "own" },
      { ...event("c"), lease: shared },
      { ...event("d"), lease: nameLease("m2", 99) },
      event("e"),
    ];
    await Promise.all([first, ...more.map((item) => append(mine, item))]);
    await append(other, { ...event("f"), lease: "own" });
    await feed.whenSeen(6);
    const own = (n: number) => nameLease(mine.machine ?? "", n);
    const leases = [own(7), own(9), shared, undefined, undefined, undefined];
    expect(feed.seen.map((brought) => brought.event.lease)).toEqual(leases);
    expect((await collect(mine)).map(({ lease }) => lease)).toEqual(leases);
    await Promise.all([mine.close(), other.close()]);
  });

  test("the writer of an event that its feed ignores is told that it failed", async () => {
    const { open } = subject();
    const [mine, other] = [await open(() => 3), await open()];
    mine.follow(({ topic }) => (topic === "late" ? IGNORED : 0));
    const late = append(mine, { ...event("late"), lease: "own" });
    await expect(late).rejects.toMatchObject({ code: "MACHINE_NAME_TAKEN" });
    expect(await append(mine, { ...event("next"), lease: "own" })).toBe(2);
    await Promise.all([mine.close(), other.close()]);
  });

  test("an event is stored although another daemon has used its id for an event that counts nowhere", async () => {
    const { open } = subject();
    const [stale, holder] = [await open(), await open()];
    for (const log of [stale, holder]) log.follow(({ lease }) => (lease?.number === 3 ? IGNORED : 0));
    const by = (number: number, id: string): NewEvent => ({
      ...event(`t.${number}`),
      sent: { id, body: "" },
      lease: { key: "judge", number },
    });
    await expect(append(stale, by(3, "once"))).rejects.toMatchObject({ code: "MACHINE_NAME_TAKEN" });
    expect(await append(holder, by(9, "once"))).toBe(2);
    const both = [append(stale, by(3, "again")), append(holder, by(9, "again"))] as const;
    await Promise.allSettled(both);
    expect((await collect(holder)).map(({ topic }) => topic)).toContain("t.9");
    expect(await both[1]).toBeGreaterThan(2);
    await Promise.all([stale.close(), holder.close()]);
  });

  test("an event that is sent again, on any machine, is stored once and told the first sequence", async () => {
    const { open } = subject();
    const [mine, other] = [await open(), await open()];
    const feed = followed(other);
    const item: NewEvent = { ...event("a"), sent: { id: "e1", body: "x" } };
    const first = await told(mine, item);
    const again = [await told(mine, item), await told(other, item), await told(mine, item)];
    const both = await Promise.all([mine, other].map((log) => told(log, { ...item, sent: { id: "e2", body: "y" } })));
    await append(mine, event("end"));
    await feed.whenSeen(3);
    expect(first).toEqual({ sequence: 1, duplicate: false });
    expect(again).toEqual(again.map(() => ({ sequence: 1, duplicate: true })));
    expect(both.map(({ sequence }) => sequence)).toEqual([2, 2]);
    expect(both.filter(({ duplicate }) => duplicate)).toHaveLength(1);
    expect(placesIn(feed)).toEqual(["1 a", "2 a", "3 end"]);
    await Promise.all([mine.close(), other.close()]);
  });

  test("the same id with another body is refused on any machine; another sender's id is another id", async () => {
    const { open } = subject();
    const [mine, other] = [await open(), await open()];
    const item: NewEvent = { ...event("a"), sent: { id: "e1", body: "x" } };
    await append(mine, item);
    for (const log of [mine, other]) {
      await expect(append(log, { ...item, sent: { id: "e1", body: "y" } })).rejects.toMatchObject({
        code: "PUBLISH_CONFLICT",
      });
    }
    expect(await append(other, { ...item, from: "p_000002" })).toBe(2);
    expect((await collect(mine)).map(({ from }) => from)).toEqual(["p_000001", "p_000002"]);
    await Promise.all([mine.close(), other.close()]);
  });

  test("the feed of a closed log brings nothing more", async () => {
    const { open } = subject();
    const [mine, other] = [await open(), await open()];
    const [closed, going] = [followed(mine), followed(other)];
    await mine.close();
    await append(other, event("late"));
    await going.whenSeen(1);
    expect([placesIn(closed), placesIn(going)]).toEqual([[], ["1 late"]]);
    await other.close();
  });
}
