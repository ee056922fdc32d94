import { expect, test } from "vitest";
import type { EventLog, NewEvent, OwnEvent, StoredEvent } from "./event-log.ts";

export interface LogSubject {
  readonly open: () => EventLog;
  /** Ends a log as a crash would: nothing is closed or flushed. Undefined where a crash loses everything. */
  readonly crash?: (log: EventLog) => void;
}

/** Logs on the same events, as several daemons open them. */
export interface SharedLogSubject {
  readonly open: () => EventLog;
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
    const log = subject().open();
    expect({ head: log.head(), oldest: log.oldest(), events: await collect(log) }).toEqual({
      head: 0,
      oldest: 1,
      events: [],
    });
    expect(await append(log, event("a.b"))).toBe(1);
    await log.close();
  });

  test("events come back as they went in, in order, with growing sequences", async () => {
    const log = subject().open();
    const items = ["worker.p_1.boot", "task.t_1.x", "cmd.p_1.abort"].map((topic, n) =>
      event(topic, { n, text: 'ü "\u2028' }),
    );
    const sequences = await Promise.all(items.map((item) => append(log, item)));
    expect(sequences).toEqual([1, 2, 3]);
    expect(await collect(log)).toEqual(items.map((item, at) => ({ ...item, sequence: at + 1 })));
    await log.close();
  });

  test("a flush stores what was appended before it, and the order stays", async () => {
    const log = subject().open();
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
    const log = subject().open();
    await append(log, { ...event("a.b"), payload: undefined });
    expect((await collect(log))[0]?.payload).toBeUndefined();
    await log.close();
  });

  test("a listener is never told before append returns", async () => {
    const log = subject().open();
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
    const log = subject().open();
    for (let n = 0; n < 50; n += 1) await append(log, event(`t.${n}`));
    for (const after of [0, 1, 25, 49, 50]) {
      expect((await collect(log, after)).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 50 - after }, (_, n) => after + n + 1),
      );
    }
    await log.close();
  });

  test("a closed log holds what was appended before, refuses more, and can be closed again", async () => {
    const log = subject().open();
    const [first, last] = [append(log, event("a")), append(log, event("b"))];
    await log.close();
    await log.close();
    expect(await Promise.all([first, last])).toEqual([1, 2]);
    expect((await collect(log)).map(({ topic }) => topic)).toEqual(["a", "b"]);
    await expect(append(log, event("c"))).rejects.toThrow("closed");
  });

  test("the sequence at a time is that of the last event before it", async () => {
    const log = subject().open();
    for (const second of [1, 2, 3]) await append(log, { ...event("t"), tsServer: `2026-01-01T00:00:0${second}.000Z` });
    expect(await log.sequenceAt(new Date("2026-01-01T00:00:02.500Z"))).toBe(2);
    expect(await log.sequenceAt(new Date("2025-01-01T00:00:00.000Z"))).toBe(0);
    expect(await log.sequenceAt(new Date("2027-01-01T00:00:00.000Z"))).toBe(3);
    await log.close();
  });

  test("the sequence at a time is found in a long log too, where many events share a time", async () => {
    const log = subject().open();
    const start = Date.parse("2026-01-01T00:00:00.000Z");
    const times = Array.from({ length: 300 }, (_, index) => start + Math.floor(index / 7) * 10);
    for (const ms of times) await append(log, { ...event("t"), tsServer: new Date(ms).toISOString() });
    for (let ms = start - 5; ms < start + 500; ms += 5) {
      expect(await log.sequenceAt(new Date(ms))).toBe(times.filter((each) => each < ms).length);
    }
    await log.close();
  });

  test("the sequence at a time is 0 in an empty log", async () => {
    const log = subject().open();
    expect(await log.sequenceAt(new Date("2026-01-01T00:00:00.000Z"))).toBe(0);
    await log.close();
  });

  test("the feed brings each event before its listener is told, with what the publisher asked for", async () => {
    const log = subject().open();
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
    const log = subject().open();
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
    const log = subject().open();
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
    const logs = [open(), open(), open()] as const;
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
    const [mine, other] = [open(), open()];
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

  test("the feed of a closed log brings nothing more", async () => {
    const { open } = subject();
    const [mine, other] = [open(), open()];
    const [closed, going] = [followed(mine), followed(other)];
    await mine.close();
    await append(other, event("late"));
    await going.whenSeen(1);
    expect([placesIn(closed), placesIn(going)]).toEqual([[], ["1 late"]]);
    await other.close();
  });
}
