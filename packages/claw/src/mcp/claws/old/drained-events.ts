import { textOf } from "claw-contract";

/** Stored events in the forms in which older clients read them. */
export interface Drained {
  /** Adds an event: a line of the log. */
  add(item: string): void;
  /** Sequence of the last event that was added. */
  last(): number | undefined;
  /** The items of a JSON list, with the members of claws 0.8. */
  json(): string;
  /** For each event a new line with its sequence, time, sender, topic and payload, and a space between two. */
  lines(): string;
}

const PAYLOAD = ',"payload":';
const SEQUENCE = ',"sequence":';
const HEAD = /^\{("topic":"([^"\\\s]+)","from":"([^"\\\s]+)"),"ts_server":"/;

/** How lines of one sender on one topic begin; events that follow each other mostly begin alike. */
interface Beginning {
  /** The line up to its time. */
  readonly head: string;
  /** The members `topic` and `from`. */
  readonly members: string;
  /** Sender and topic for a line. */
  readonly words: string;
}

/** A word for a line; one with spaces or quotes, and one that is empty, stands there as JSON. */
const wordOf = (text: string): string => (/^[^"\\\s]+$/.test(text) ? text : JSON.stringify(text));

/** The beginning of a line of the usual form; undefined for any other line. */
function beginningOf(item: string): Beginning | undefined {
  const [head, members, topic, from] = HEAD.exec(item) ?? [];
  if (head === undefined || members === undefined || topic === undefined || from === undefined) return undefined;
  return { head, members, words: `${from} ${topic}` };
}

/**
 * Gathers events as texts. A line of the usual form is cut and not parsed (bench mcp, "1000 events"): no text of an event
 * holds a member's name with its quotes, because a quote inside of a text has a backslash before it.
 */
export function createDrained(): Drained {
  const [json, lines] = [[] as string[], [] as string[]];
  let known: Beginning | undefined;
  let moment = { time: "", ms: 0 };
  let last: number | undefined;
  const put = (names: Pick<Beginning, "members" | "words">, time: string, payload: string, sequence: number): void => {
    if (time !== moment.time) moment = { time, ms: Date.parse(time) || 0 };
    const comma = last === undefined ? "" : ",";
    last = sequence;
    const [index, sentAt] = [String(sequence - 1), String(moment.ms)];
    json.push(comma, '{"absoluteIndex":', index, ",", names.members, payload, ',"sentAt":', sentAt);
    json.push(SEQUENCE, String(sequence), "}");
    lines.push("\n", String(sequence), " ", time, " ", names.words);
    if (payload !== "") lines.push(" ", payload.slice(PAYLOAD.length));
  };
  const cut = (item: string): boolean => {
    if (known === undefined || !item.startsWith(known.head)) known = beginningOf(item);
    if (known === undefined) return false;
    const { length } = known.head;
    const end = item.indexOf('"', length);
    const sequenceAt = item.lastIndexOf(SEQUENCE);
    const sequence = Number(item.slice(sequenceAt + SEQUENCE.length, -1));
    const hasPayload = sequenceAt > end + 1;
    if (sequenceAt <= end || !Number.isSafeInteger(sequence)) return false;
    if (hasPayload && !item.startsWith(PAYLOAD, end + 1)) return false;
    put(known, item.slice(length, end), item.slice(end + 1, sequenceAt), sequence);
    return true;
  };
  const parse = (item: string): void => {
    const event = JSON.parse(item) as Readonly<Record<string, unknown>>;
    const [topic, from] = [textOf(event["topic"]), textOf(event["from"])];
    const members = JSON.stringify({ topic, from }).slice(1, -1);
    const payload = event["payload"] === undefined ? "" : PAYLOAD + JSON.stringify(event["payload"]);
    const words = `${wordOf(from)} ${wordOf(topic)}`;
    put({ members, words }, textOf(event["ts_server"]), payload, Number(event["sequence"]));
  };
  return {
    add: (item) => void (cut(item) || parse(item)),
    last: () => last,
    json: () => json.join(""),
    lines: () => lines.join(""),
  };
}
