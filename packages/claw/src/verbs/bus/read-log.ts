import type { Orchestrator } from "claw-client";
import type { JsonObject, RequestRest } from "claw-contract";
import { arrayOf, objectOf, parseObject, textOf } from "claw-contract";

/** Stored events as JSON texts, each one line of the log, and the place behind them. */
export interface LogPart {
  /** The whole reply, which has the events as they are. */
  readonly text: string;
  readonly events: readonly string[];
  readonly cursor: string;
  /** Whether events can follow that the part had no room for. */
  readonly more: boolean;
  /** Places at which events can no longer be read. */
  readonly gaps: readonly { readonly from: string; readonly to: string }[];
}

type Asked = NonNullable<RequestRest<"log.read">[0]>;

const EVENTS = ',"events":[';
const END = '],"rid":';
const BETWEEN = ",\t";

const gapOf = (gap: unknown): LogPart["gaps"][number] => {
  const { from, to } = objectOf(gap);
  return { from: textOf(from), to: textOf(to) };
};

const aboutPart = ({ cursor, more, gaps }: JsonObject): Omit<LogPart, "text" | "events"> => ({
  cursor: textOf(cursor),
  more: more === true,
  gaps: arrayOf(gaps).map(gapOf),
});

/**
 * Cuts a reply to `log.read` into its events without parsing them. The daemon writes the events last, with a tab between
 * two of them, and no event holds a tab. Undefined for a reply of another form.
 */
function cutReply(line: string): LogPart | undefined {
  const [start, end] = [line.indexOf(EVENTS), line.lastIndexOf(END)];
  const head = start === -1 ? undefined : parseObject(`${line.slice(0, start)}}`);
  if (head === undefined || end < start) return undefined;
  const list = line.slice(start + EVENTS.length, end);
  return { text: line, events: list === "" ? [] : list.split(BETWEEN), ...aboutPart(head) };
}

/** Any reply to `log.read`. */
function parseReply(line: string): LogPart {
  const reply = parseObject(line) ?? {};
  return { text: line, events: arrayOf(reply["events"]).map((event) => JSON.stringify(event)), ...aboutPart(reply) };
}

/** Reads stored events in one request, unparsed. A daemon that looked at much of the log in vain is asked again. */
export async function readLog(bus: Pick<Orchestrator, "requestText">, asked: Asked): Promise<LogPart> {
  const gaps: LogPart["gaps"][number][] = [];
  for (let { since } = asked; ;) {
    const line = await bus.requestText("log.read", { ...asked, since });
    const part = cutReply(line) ?? parseReply(line);
    gaps.push(...part.gaps);
    if (part.events.length > 0 || !part.more || part.cursor === since) return { ...part, gaps };
    since = part.cursor;
  }
}
