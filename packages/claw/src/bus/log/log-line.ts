import { createLastText, quote } from "../wire/wire.ts";
import type { NewEvent, StoredEvent } from "./event-log.ts";

const lineStart = createLastText((topic, from) => `{"topic":${quote(topic)},"from":${quote(from)},"ts_server":"`);

/** A line of the log up to its sequence, which is known only when the line is written. */
export function lineHead({ topic, from, tsServer, payload }: NewEvent): string {
  const body = payload === undefined ? "" : `,"payload":${payload}`;
  return `${lineStart(topic, from)}${tsServer}"${body},"sequence":`;
}

export const lineTail = (sequence: number): string => `${sequence}}\n`;

/** A whole line of the log, with its end. */
export const logLine = (event: StoredEvent): string => lineHead(event) + lineTail(event.sequence);

const TOPIC = '{"topic":"';
const FROM = '","from":"';
const TIME = '","ts_server":"';
const PAYLOAD = '","payload":';
const SEQUENCE_MEMBER = ',"sequence":';

/**
 * Reads a line this log wrote, without parsing its payload (bench bus, "replay from disk"). Undefined for a line of
 * another form, which the slow way below then reads.
 */
function readOwnLine(line: string): StoredEvent | undefined {
  const fromAt = line.indexOf(FROM);
  const timeAt = line.indexOf(TIME, fromAt);
  const timeEnd = line.indexOf('"', timeAt + TIME.length);
  const sequenceAt = line.lastIndexOf(SEQUENCE_MEMBER);
  if (!line.startsWith(TOPIC) || fromAt === -1 || timeAt === -1 || timeEnd === -1 || sequenceAt < timeEnd) {
    return undefined;
  }
  const head = line.slice(0, timeEnd);
  const sequence = Number(line.slice(sequenceAt + SEQUENCE_MEMBER.length, -1));
  const hasPayload = line.startsWith(PAYLOAD, timeEnd);
  if (head.includes("\\") || !Number.isSafeInteger(sequence) || (!hasPayload && sequenceAt !== timeEnd + 1)) {
    return undefined;
  }
  return {
    sequence,
    topic: line.slice(TOPIC.length, fromAt),
    from: line.slice(fromAt + FROM.length, timeAt),
    tsServer: line.slice(timeAt + TIME.length, timeEnd),
    payload: hasPayload ? line.slice(timeEnd + PAYLOAD.length, sequenceAt) : undefined,
  };
}

interface AnyLine {
  readonly topic?: unknown;
  readonly from?: unknown;
  readonly ts_server?: unknown;
  readonly payload?: unknown;
  readonly sequence?: unknown;
}

/** Reads any line that is a log record; undefined for anything else. Never throws. */
export function readLogLine(line: string): StoredEvent | undefined {
  const own = readOwnLine(line);
  if (own !== undefined) return own;
  try {
    const record = JSON.parse(line) as AnyLine | null;
    const { topic, from, ts_server: tsServer, payload, sequence } = record ?? {};
    if (typeof topic !== "string" || typeof from !== "string" || !Number.isSafeInteger(sequence)) return undefined;
    return {
      sequence: sequence as number,
      topic,
      from,
      tsServer: typeof tsServer === "string" ? tsServer : "",
      payload: payload === undefined ? undefined : JSON.stringify(payload),
    };
  } catch {
    return undefined;
  }
}
