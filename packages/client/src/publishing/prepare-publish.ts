import { ClawError, REQUEST_LIMITS } from "claw-contract/client";
import { loadChecks } from "../connection/load-checks.ts";
import type { EventProblem } from "claw-contract/schemas";
import type { SpooledEvent } from "./spool.ts";
import { uuid } from "../platform.ts";

/** Names and checks events before they are sent. */
export interface EventSchemas {
  /** The schema of a topic; undefined for a topic without one. */
  readonly nameOf: (topic: string) => string | undefined;
  /** Lists the problems of a payload on a topic; empty for a topic without a schema. */
  readonly problemsOf: (topic: string, payload: unknown) => readonly EventProblem[];
}

/** Loads the contract's own checks, apart from the rest of the client: many pages only read. */
export const loadEventSchemas = async (): Promise<EventSchemas> => (await loadChecks()).createPublishChecks();

const SELF = "{self}";

/** Puts a peer's id where a topic or pattern says `{self}`. */
export const resolveSelf = (topic: string, peerId: string): string => topic.replaceAll(SELF, peerId);

export interface PublishOptions {
  /** A UUID. Publishing an id again with the same body is answered with the first receipt. */
  readonly id?: string;
  /** Schema of the data, for a topic that has none by itself. */
  readonly schema?: string;
  readonly correlationId?: string;
  readonly parentId?: string | null;
  readonly terminalId?: string;
}

export interface PublishFields {
  /** `{self}` in it stands for the publisher's own peer id. */
  readonly topic: string;
  readonly data: unknown;
  readonly options: PublishOptions;
  readonly fromName: string;
  readonly publishedAt: number;
}

const ENVELOPE_VERSION = 1;
/** Room for the rest of the line: id, command, peer id. */
const FRAME_BYTES = 512;

/** Bytes of a text in UTF-8, or an upper bound when that is small enough. */
function utf8Size(text: string): number {
  if (text.length * 3 <= REQUEST_LIMITS.requestLineBytes - FRAME_BYTES) return text.length * 3;
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function envelopeOf({ topic, data, options, fromName, publishedAt }: PublishFields, schemas: EventSchemas) {
  const { id = uuid(), correlationId, parentId, terminalId } = options;
  return {
    v: ENVELOPE_VERSION,
    id,
    correlation_id: correlationId,
    parent_id: parentId,
    from_name: fromName,
    terminal_id: terminalId,
    ts_published: new Date(publishedAt).toISOString(),
    schema: options.schema ?? schemas.nameOf(resolveSelf(topic, "self")),
    data: data ?? {},
  };
}

/** Makes the envelope and checks it as the bus will. Throws PUBLISH_INVALID or REQUEST_TOO_LARGE. */
export function preparePublish(request: PublishFields, schemas: EventSchemas): SpooledEvent {
  const { topic } = request;
  const envelope = envelopeOf(request, schemas);
  const text = JSON.stringify(envelope);
  const problems = schemas.problemsOf(resolveSelf(topic, "self"), JSON.parse(text));
  const [first] = problems;
  if (first !== undefined) {
    const problem = [first.path.join("."), first.message].filter((part) => part !== "").join(": ");
    throw new ClawError("PUBLISH_INVALID", `the event on ${topic} is invalid: ${problem}`, {
      operation: "publish",
      target: topic,
      details: { problems },
    });
  }
  if (utf8Size(text) + FRAME_BYTES > REQUEST_LIMITS.requestLineBytes) {
    throw new ClawError("REQUEST_TOO_LARGE", `an event on ${topic} is larger than the bus takes`, {
      operation: "publish",
      target: topic,
    });
  }
  return {
    id: envelope.id,
    topic,
    size: text.length,
    // The payload stands last and is always printed the same, so that a repetition is recognised by its text.
    command: (peerId, echo) =>
      `"cmd":"publish","topic":${JSON.stringify(resolveSelf(topic, peerId))}${echo ? ',"echo":true' : ""},` +
      `"payload":{"from_peer":${JSON.stringify(peerId)},${text.slice(1)}`,
  };
}
