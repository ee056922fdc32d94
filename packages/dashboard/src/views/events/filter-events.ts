import { matchSegments, patternSegments, shellQuote } from "claw-contract/client";
import { sequenceIn } from "../../store/event-feed.ts";
import type { EventRow } from "../../store/event-row.ts";

/** What a person looks for; empty fields look for everything. */
export interface EventFilter {
  /** Pattern of topics, as `claw events` takes it. */
  readonly topic: string;
  readonly worker: string;
  readonly kind: string;
  readonly text: string;
  /** An id that ties events together. */
  readonly thread: string;
}

export const NO_FILTER: EventFilter = { topic: "", worker: "", kind: "", text: "", thread: "" };

export const filterOf = (query: Readonly<Record<string, string>>): EventFilter => ({
  topic: query["topic"] ?? "",
  worker: query["worker"] ?? "",
  kind: query["kind"] ?? "",
  text: query["text"] ?? "",
  thread: query["thread"] ?? "",
});

/** Whether the bus takes the pattern; an empty pattern fits all topics. */
export const isPattern = (topic: string): boolean => topic === "" || patternSegments(topic) !== null;

/** Makes the test for rows. An invalid pattern fits no row. */
export function rowTest({ topic, worker, kind, text, thread }: EventFilter): (row: EventRow) => boolean {
  const segments = topic === "" ? undefined : patternSegments(topic);
  const wanted = text.toLowerCase();
  return (row) => {
    if (segments === null) return false;
    if (worker !== "" && row.worker !== worker) return false;
    if (kind !== "" && row.kind !== kind) return false;
    if (thread !== "" && !row.threads.includes(thread)) return false;
    if (segments !== undefined && !matchSegments(segments, row.topic.split("."))) return false;
    return wanted === "" || row.text.toLowerCase().includes(wanted) || row.topic.toLowerCase().includes(wanted);
  };
}

/** The rows up to a cursor: at a moment of the past, events that came later are not there yet. */
export const rowsUpTo = (rows: readonly EventRow[], cursor: string | null): readonly EventRow[] =>
  cursor === null ? rows : rows.filter(({ sequence }) => sequence <= sequenceIn(cursor));

/** Rows that pass a filter, kept up to date as rows come: each row is tested once. */
export function createFiltered() {
  let test = rowTest(NO_FILTER);
  let shown: EventRow[] = [];
  let upTo = -1;
  let first = -1;
  let key = "";
  return (rows: readonly EventRow[], filter: EventFilter): readonly EventRow[] => {
    const wanted = JSON.stringify(filter);
    const start = rows[0]?.sequence ?? -1;
    if (wanted !== key || start !== first) {
      // Another filter, or rows were dropped or added in front.
      test = rowTest(filter);
      [key, first, upTo, shown] = [wanted, start, -1, []];
    }
    const fresh: EventRow[] = [];
    for (let index = rows.length - 1; index >= 0; index -= 1) {
      const row = rows[index];
      if (row === undefined || row.sequence <= upTo) break;
      if (test(row)) fresh.push(row);
    }
    upTo = rows.at(-1)?.sequence ?? -1;
    if (fresh.length > 0) shown = [...shown, ...fresh.reverse()];
    return shown;
  };
}

/** Words of `grep` that find one thing in lines of JSON. */
type Look = readonly [flag: string, pattern: string];

/** A word that needs no escape in a pattern. */
const isPlain = (word: string): boolean => /^\w+$/.test(word);

function workerLook(worker: string): Look {
  if (!isPlain(worker)) return ["-F", worker];
  return ["-E", `"topic":"(worker|cmd)[.]${worker}[.]|"(peerId|targetPeerId)":"${worker}"`];
}

const kindLook = (kind: string): Look =>
  isPlain(kind) ? ["-E", `"topic":"[^"]*[.]${kind}"|"kind":"${kind}"`] : ["-F", kind];

/** The call of the command line that gives the same events, from a cursor on. */
export function eventsCall({ topic, worker, kind, text, thread }: EventFilter, since: string): string {
  const words = ["claw", "events", ...(topic === "" ? [] : ["--topic", topic]), "--since", since];
  const looks: readonly Look[] = [
    ...(worker === "" ? [] : [workerLook(worker)]),
    ...(kind === "" ? [] : [kindLook(kind)]),
    ...(thread === "" ? [] : [["-F", thread] as const]),
    ...(text === "" ? [] : [["-iF", text] as const]),
  ];
  if (looks.length > 0) words.push("--output-format", "stream-json");
  const greps = looks.map(([flag, pattern]) => `grep ${flag} -- ${shellQuote(pattern)}`);
  return [words.map(shellQuote).join(" "), ...greps].join(" | ");
}

/** The `claw events` call that prints the event. */
export const eventCall = (topic: string, cursorBefore: string): string =>
  ["claw", "events", "--topic", topic, "--since", cursorBefore, "--limit", "1", "--output-format", "stream-json"]
    .map(shellQuote)
    .join(" ");
