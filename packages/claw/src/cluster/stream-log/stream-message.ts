import { hash } from "node:crypto";
import type { MsgHdrs } from "@nats-io/transport-node";
import { headers as createHeaders } from "@nats-io/transport-node";
import type { LeaseMark, NewEvent, StoredEvent } from "../../bus/index.ts";
import { nameLease } from "../../bus/index.ts";
import type { Subjects } from "./subjects.ts";
import { decodeTopic, encodeTopic } from "./subjects.ts";

/** By this header the servers recognise a message that is sent again. */
const MESSAGE_ID = "Nats-Msg-Id";
const FROM = "Claw-From";
const TIME = "Claw-Time";
/** Hash of what the publisher sent, to tell a repetition from another event under the same id. */
const BODY = "Claw-Body";
/** Present when the publisher sent no payload, which is not the same as an empty one. */
const NO_PAYLOAD = "Claw-No-Payload";
/** The lease under which a daemon wrote the event: its key, and its number. */
const LEASE = "Claw-Lease";
/** Stands for the lease of the name of the machine in the subject, so that no machine writes under the lease of another. */
const OWN = "own";

/** A message ready for the stream. */
export interface StreamMessage {
  readonly id: string;
  readonly subject: string;
  readonly headers: MsgHdrs;
  readonly body: string;
  /** Hash of what the publisher sent. */
  readonly bodyHash: string;
  /** The number of the lease of this machine's name; 0 for an event that was not written under it. */
  readonly number: number;
  /** The lease and the number that the message names; empty without one. */
  readonly lease: string;
}

/** The ids of a writer's messages. */
export interface MessageWriter {
  /** Id of a message whose event has none. */
  readonly ownId: string;
  /** The number of the lease by which the writer holds its machine's name; 0 when events are to carry none. */
  readonly number: number;
}

const digest = (text: string): string => hash("sha256", text, "base64url");

/**
 * The message of an event. An event that its publisher may send again has an id made of the publisher's identity and the
 * event's id, the same on every machine. Every other event gets `ownId`.
 */
export function toMessage(event: NewEvent, subject: string, { ownId, number: held }: MessageWriter): StreamMessage {
  const { from, tsServer, payload, sent, lease } = event;
  const id = sent === undefined ? ownId : digest(`${from}\n${sent.id}`);
  const bodyHash = digest(sent?.body ?? payload ?? "");
  const headers = createHeaders();
  headers.set(MESSAGE_ID, id);
  headers.set(FROM, encodeTopic(from));
  headers.set(TIME, tsServer);
  headers.set(BODY, bodyHash);
  if (payload === undefined) headers.set(NO_PAYLOAD, "1");
  const number = lease === OWN ? held : 0;
  const named = number > 0 ? `${OWN} ${number}` : typeof lease === "object" ? `${lease.key} ${lease.number}` : "";
  if (named !== "") headers.set(LEASE, named);
  return { id, subject, headers, body: payload ?? "", bodyHash, number, lease: named };
}

/** The same event under another message id. Called once the message has left the events on their way. */
export function withId(message: StreamMessage, id: string): StreamMessage {
  message.headers.set(MESSAGE_ID, id);
  return { ...message, id };
}

/** The lease that a message names. */
function readLease(text: string | undefined, machine: string): LeaseMark | undefined {
  const [key = "", digits = ""] = (text ?? "").split(" ");
  const number = Number(digits);
  if (key === "" || !Number.isSafeInteger(number) || number < 1) return undefined;
  const own = nameLease(machine, number);
  if (key === OWN) return own;
  // Only `own` stands for the name of a machine.
  return key.startsWith("machine.") ? undefined : { key, number };
}

/** A message of the stream, as a consumer or a direct read brings it. */
export interface ReceivedMessage {
  readonly subject: string;
  readonly headers?: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

export const messageIdOf = ({ headers }: ReceivedMessage): string => headers?.get(MESSAGE_ID) ?? "";

export const bodyHashOf = ({ headers }: ReceivedMessage): string => headers?.get(BODY) ?? "";

/** A view of the same bytes is read without a copy. */
const textOf = (data: Uint8Array): string =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");

/** The event of a message. `subject` is that of the stored message, which a direct read brings in a header. */
export function toEvent(subjects: Subjects, subject: string, message: ReceivedMessage, sequence: number): StoredEvent {
  const { headers, data } = message;
  const { machine, topic } = subjects.read(subject);
  const lease = readLease(headers?.get(LEASE), machine);
  return {
    topic,
    from: decodeTopic(headers?.get(FROM) ?? ""),
    tsServer: headers?.get(TIME) ?? "",
    payload: headers?.has(NO_PAYLOAD) === true ? undefined : textOf(data),
    sequence,
    machine,
    ...(lease === undefined ? {} : { lease }),
  };
}
