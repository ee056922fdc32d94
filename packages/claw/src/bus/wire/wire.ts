import type { ErrorCode } from "claw-contract";
import { errorRow, isTooDeep, LIMITS } from "claw-contract";

const MINUTE = "2026-01-01T00:00:".length;
const FORM = "2026-01-01T00:00:00.000Z".length;

/**
 * Reads the server's times as milliseconds; 0 for a text that is no time. Events that follow each other are mostly of
 * the same millisecond, or else of the same minute, which is parsed once (bench bus, "server time for an event").
 */
function createTimeReader(): (iso: string) => number {
  let minute = "";
  let minuteMs = 0;
  let last = "";
  let lastMs = 0;
  const read = (iso: string): number => {
    if (iso.length !== FORM) return Date.parse(iso) || 0;
    const head = iso.slice(0, MINUTE);
    if (head !== minute) {
      minute = head;
      minuteMs = Date.parse(`${head}00.000Z`);
    }
    return minuteMs + Math.round(Number(iso.slice(MINUTE, -1)) * 1000) || 0;
  };
  return (iso) => {
    if (iso === last) return lastMs;
    lastMs = read(iso);
    last = iso;
    return lastMs;
  };
}

/** Milliseconds at which an event was stored, read from the stored time: every reader gets the same value. */
export const storedAtMs = createTimeReader();

const PLAIN = /^[\w.:/ -]*$/;

/** JSON text of a string. Ids and topics have nothing to escape, and asking is cheaper than printing. */
export const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** A request as the client sent it. Its fields are read by the contract of its `cmd`. */
export type WireRequest = Readonly<Record<string, unknown>> & { readonly id?: unknown };

export type RequestReading =
  | { readonly kind: "request"; readonly request: WireRequest }
  | { readonly kind: "blank" }
  | { readonly kind: "refused"; readonly error: string };

/** Protocols that the bus speaks. A request without a protocol is of the first. */
export const PROTOCOLS = ["claws/1", "claws/2"] as const;

const KNOWN_PROTOCOLS = new Set<unknown>([...PROTOCOLS, undefined]);

const BRACE = 0x7b;
const COLON = 0x3a;

/** Reads one line of a client. Never throws, for any content. */
export function readRequest(line: string): RequestReading {
  // Nearly every line begins with its object; only others can be blank.
  if (line.charCodeAt(0) !== BRACE && line.trim() === "") return { kind: "blank" };
  if (isTooDeep(line, LIMITS.requestDepth)) return { kind: "refused", error: "nested too deep" };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "refused", error: "bad json" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "refused", error: "bad json" };
  }
  return { kind: "request", request: value as WireRequest };
}

export const isKnownProtocol = (request: WireRequest): boolean => KNOWN_PROTOCOLS.has(request["protocol"]);

/** An answer. The request's id comes back as `id` and `rid`; both are absent when the request has no id. */
export function reply(request: WireRequest, body: object): string {
  const { id } = request;
  const echo = id === undefined ? {} : { id };
  const end = id === undefined ? {} : { rid: id };
  return JSON.stringify({ ...echo, protocol: "claws/1", ok: true, ...body, ...end });
}

/** Fields of a refusal besides its text. */
export interface RefusalFields {
  readonly code?: ErrorCode;
  /** What to do next, when that is not what the catalogue says about the code. */
  readonly hint?: string;
  readonly [field: string]: unknown;
}

/** A refusal, with further fields if the handler gives some. A client has no catalogue: it gets the hint of the code. */
export function refuseRequest(request: WireRequest, error: string, more: RefusalFields = {}): string {
  const hint = more.code === undefined || more.hint !== undefined ? {} : { hint: errorRow(more.code).hint };
  return reply(request, { ok: false, error, ...more, ...hint });
}

export interface PushedEvent {
  readonly topic: string;
  readonly from: string;
  /** JSON text. */
  readonly payload: string | undefined;
  /** ISO time at which it was stored. */
  readonly tsServer: string;
  readonly sequence: number;
}

/**
 * Remembers the last text made of a topic and a sender: events that follow each other mostly agree in both (bench bus,
 * "server time for an event").
 */
export function createLastText(make: (topic: string, from: string) => string): typeof make {
  let last = { topic: "", from: "", text: make("", "") };
  return (topic, from) => {
    if (topic !== last.topic || from !== last.from) last = { topic, from, text: make(topic, from) };
    return last.text;
  };
}

const pushStart = createLastText(
  (topic, from) => `{"push":"message","protocol":"claws/2","topic":${quote(topic)},"from":${quote(from)}`,
);

/**
 * A push frame up to its optional fields and closing brace. All subscribers of the event share this text (bench bus, "1
 * publisher, 100 subscribers").
 */
export function pushHead({ topic, from, payload, tsServer, sequence }: PushedEvent): string {
  const body = payload === undefined ? "" : `,"payload":${payload}`;
  return `${pushStart(topic, from)}${body},"sentAt":${storedAtMs(tsServer)},"sequence":${sequence}`;
}

/** Whether the payload is the last of a request's members, and none of the others could end like one. */
function isPayloadLast(request: WireRequest): boolean {
  let last: string | undefined;
  for (const key in request) {
    last = key;
    if (key !== "payload" && typeof request[key] === "object" && request[key] !== null) return false;
  }
  return last === "payload";
}

const PAYLOAD_KEY = '"payload"';

/**
 * Searched in place of the whole key, which begins with a quote: a line has many quotes, so that search would be
 * slower.
 */
const KEY_END = 'payload"';

/**
 * The payload's text as sent, when it can be cut out of the line safely: the payload is an object, its key occurs once,
 * no nested value stands before it, and no member stands behind it. `JSON.parse` keeps a repeated member at its first
 * place with its last value. So only the text shows what follows the payload: a value that is no object, or the key
 * again, maybe in escapes. Otherwise undefined, and the payload has to be printed again.
 */
export function payloadText(line: string, request: WireRequest): string | undefined {
  const at = line.indexOf(KEY_END) - 1;
  const start = at + PAYLOAD_KEY.length + 1;
  if (!line.startsWith(PAYLOAD_KEY, at) || line.charCodeAt(start - 1) !== COLON) return undefined;
  if (line.lastIndexOf("{", at) !== 0 || line.includes(KEY_END, start) || line.includes("\\u", start)) return undefined;
  if (!line.endsWith("}") || !isPayloadLast(request)) return undefined;
  const text = line.slice(start, -1).trim();
  // A CR ends a line in an event stream but not in the log, so a text with a CR is printed again.
  return text.endsWith("}") && !text.includes("\r") ? text : undefined;
}

/** The answer to a publish, printed by hand because it is the most frequent of all (bench bus, "server time for an event"). */
export function receiptReply(request: WireRequest, fields: string): string {
  const { id } = request;
  if (id === undefined) return `{"protocol":"claws/1","ok":true,${fields}}`;
  const text = typeof id === "string" ? quote(id) : JSON.stringify(id);
  return `{"id":${text},"protocol":"claws/1","ok":true,${fields},"rid":${text}}`;
}
