import { LIMITS } from "@claw/contract";
import { isTooDeep } from "./nesting.ts";
import { quote } from "./quote.ts";
import { storedAtMs } from "./stored-at.ts";

/** A request as it came. Everything but `cmd` is checked by its command. */
export type Request = Readonly<Record<string, unknown>> & { readonly id?: unknown };

export type RequestReading =
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "blank" }
  | { readonly kind: "refused"; readonly error: string };

const PROTOCOLS = new Set<unknown>(["claws/1", "claws/2", undefined]);

const BRACE = 0x7b;
const COLON = 0x3a;

/** Reads one line of a client. Never throws, whatever stands in it. */
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
  return { kind: "request", request: value as Request };
}

export const isKnownProtocol = (request: Request): boolean => PROTOCOLS.has(request["protocol"]);

/** An answer; the request's id comes back as `id` and `rid`, and neither is there when it had none. */
export function reply(request: Request, body: Readonly<Record<string, unknown>>): string {
  const { id } = request;
  const echo = id === undefined ? {} : { id };
  const end = id === undefined ? {} : { rid: id };
  return JSON.stringify({ ...echo, protocol: "claws/1", ok: true, ...body, ...end });
}

/** A refusal, with further fields where the command has some. */
export function refuse(request: Request, error: string, more: Readonly<Record<string, unknown>> = {}): string {
  return reply(request, { ok: false, error, ...more });
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

/** A push up to its optional fields and closing brace, shared by everybody who gets the event. */
export function pushHead({ topic, from, payload, tsServer, sequence }: PushedEvent): string {
  const body = payload === undefined ? "" : `,"payload":${payload}`;
  const sentAt = storedAtMs(tsServer);
  return `{"push":"message","protocol":"claws/2","topic":${quote(topic)},"from":${quote(from)}${body},"sentAt":${sentAt},"sequence":${sequence}`;
}

/** Whether the payload is the last of a request's members, and none of the others could end like one. */
function isPayloadLast(request: Request): boolean {
  let last: string | undefined;
  for (const key in request) {
    last = key;
    if (key !== "payload" && typeof request[key] === "object" && request[key] !== null) return false;
  }
  return last === "payload";
}

const PAYLOAD_KEY = '"payload"';

/** What a line is searched through for more quickly than for a quote, of which there are many. */
const KEY_END = 'payload"';

/**
 * The text of a request's payload as it was sent, when it can be cut out safely: an object under a key that occurs
 * once, behind nothing nested, and before nothing else. A member that stands twice keeps its first place although its
 * last value counts, so what follows the payload shows only in the text: it would end with a value that is no
 * object, or be the key again, maybe in escapes. Otherwise undefined, and the payload has to be printed anew.
 */
export function payloadText(line: string, request: Request): string | undefined {
  const at = line.indexOf(KEY_END) - 1;
  const start = at + PAYLOAD_KEY.length + 1;
  if (!line.startsWith(PAYLOAD_KEY, at) || line.charCodeAt(start - 1) !== COLON) return undefined;
  if (line.lastIndexOf("{", at) !== 0 || line.includes(KEY_END, start) || line.includes("\\u", start)) return undefined;
  if (!line.endsWith("}") || !isPayloadLast(request)) return undefined;
  const text = line.slice(start, -1).trim();
  // Some take a CR for the end of a line, which it is not in the log and is in an event stream.
  return text.endsWith("}") && !text.includes("\r") ? text : undefined;
}

/** The answer to a publish, printed by hand because it is the most frequent of all. */
export function receiptReply(request: Request, fields: string): string {
  const { id } = request;
  if (id === undefined) return `{"protocol":"claws/1","ok":true,${fields}}`;
  const text = typeof id === "string" ? quote(id) : JSON.stringify(id);
  return `{"id":${text},"protocol":"claws/1","ok":true,${fields},"rid":${text}}`;
}
