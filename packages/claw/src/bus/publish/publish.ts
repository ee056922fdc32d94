import type { BusEvent, EventProblem, EventReadResult } from "claw-contract/schemas";
import { envelopeId, isEnveloped, PUBLISH_FORBIDDEN, readEventOf } from "claw-contract/schemas";
import { ClawError, isObject } from "claw-contract";
import { claimName, wrapMalformed } from "../compat/compat.ts";
import type { OpenEntry, StoredReceipt, Seen } from "./dedupe.ts";
import type { Subscribing } from "../delivery/subscription.ts";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { PublishShelf } from "./publishing.ts";
import type { Gated, Gatekeeping } from "./gates.ts";
import { passGates, passOther, passRate } from "./gates.ts";
import type { Peer } from "../peers/peer.ts";
import { speakerOf } from "../peers/peer.ts";
import { isLogEntry } from "./log-entry.ts";
import { acceptForMembers } from "./role-command.ts";
import { ownBody, seal, sealOther } from "./seal.ts";
import { store, publishSystem, storageCode, WRITE_FAILED } from "./store-event.ts";

/** Shelves that a publish passes through, from the permission to the log. */
export interface PublishPath extends Gatekeeping, PublishShelf, Subscribing, Pick<ConnectedPeers, "peers"> {}

export interface PublishFrame {
  readonly topic: unknown;
  readonly payload: unknown;
  /** The payload's own text, where it is known. */
  readonly text: string | undefined;
  readonly echo: boolean;
}

export type PublishOutcome =
  | { readonly kind: "stored"; readonly receipt: StoredReceipt; readonly duplicate: boolean }
  | { readonly kind: "refused"; readonly error: string; readonly more?: Readonly<Record<string, unknown>> };

type Done = (outcome: PublishOutcome) => void;

const refused = (error: string, more?: Readonly<Record<string, unknown>>): PublishOutcome =>
  more === undefined ? { kind: "refused", error } : { kind: "refused", error, more };

/**
 * Checks in the order of the contract: permission, schema, repetition, rate, order. Calls `done` once, possibly later.
 */
export function publish(context: PublishPath, peer: Peer, request: PublishFrame, done: Done): void {
  const { topic, payload, echo, text } = request;
  if (peer.owed !== undefined && isEarly(peer, payload)) return done(refused(WRITE_FAILED, TOO_EARLY));
  if (typeof topic !== "string" || topic === "") return done(refused("topic required"));
  const plan = context.planOf(peer, topic);
  if (plan.kind === "refused") return done(refused(plan.error));
  const taken = context.policy === "compat" ? claimName(context, peer, topic) : undefined;
  if (taken !== undefined) return done(refused(taken));
  if (plan.row === undefined) return publishOther(context, peer, { topic, payload, text, echo }, done);
  const reading = readEventOf(plan.row, topic, payload);
  if (reading.ok) return publishEvent(context, peer, { event: reading.event, text, echo }, done);
  // The report is an event too. The rate limit keeps a peer with malformed events from filling the log.
  const gated = passRate(context, peer, topic);
  if (gated.kind === "refused") return done(gated);
  const problems = problemsOf(reading);
  publishSystem(context, "system.malformed.received", { from: peer.id, topic, error: problems });
  if (context.policy === "compat") {
    const stored = wrapMalformed(payload, peer, context.timestamp());
    const body = isObject(payload) ? ownBody(payload) : undefined;
    return publishOther(context, peer, { topic, payload, text: stored, body, echo }, done);
  }
  return done(refused("payload:invalid", { details: problems }));
}

function problemsOf(reading: Exclude<EventReadResult, { ok: true }>): readonly EventProblem[] {
  if (reading.reason === "malformed") return reading.problems;
  const named = reading.reason === "unknown-version" ? reading.schema : reading.topic;
  return [{ code: "unknown_version", path: ["schema"], message: `${named} is not known here` }];
}

/** Why a later event of a client is refused while the client has yet to send an earlier one again. */
const TOO_EARLY = { code: "NATS_UNREACHABLE", retry_after_ms: 1000 };

/** Whether an event comes before one that the log could not take and that the client sends again first. */
function isEarly(peer: Peer, payload: unknown): boolean {
  if (envelopeId(payload) !== peer.owed) return true;
  peer.owed = undefined;
  return false;
}

/** Remembers the first event that the log could not take for now. */
function noteOwed({ peer, id, outcome }: Finish): void {
  const { code } = outcome as { readonly code?: unknown };
  const isAway = code === "NATS_UNREACHABLE" || code === "NATS_STREAM_REPLACED";
  if (isAway && peer.capabilities.has("spool")) peer.owed ??= id;
}

const CONFLICT = "duplicate id with another body";

/** The refusal of an event that the log did not store. */
const notStored = (failure: Error): PublishOutcome =>
  failure instanceof ClawError && failure.code === "PUBLISH_CONFLICT"
    ? refused(CONFLICT)
    : refused(WRITE_FAILED, storageCode(failure));

/** Answers a publish whose id is known already. */
function answerAgain(seen: Exclude<Seen, { kind: "new" }>, done: Done): void {
  if (seen.kind === "conflict") return done(refused(CONFLICT));
  const answer = (outcome: StoredReceipt | Error): void =>
    done(outcome instanceof Error ? notStored(outcome) : { kind: "stored", receipt: outcome, duplicate: true });
  return seen.kind === "done" ? answer(seen.receipt) : seen.wait(answer);
}

interface OtherPublish extends PublishFrame {
  readonly topic: string;
  /** JSON text of the fields the publisher sent, when the server has rewritten `text`. */
  readonly body?: string | undefined;
}

/** A payload without change: the text to store, and the body by which a repetition is recognised. */
function untouched({ payload, text, body }: OtherPublish): { text: string | undefined; body: string } {
  const stored = text ?? (payload === undefined ? undefined : JSON.stringify(payload));
  return { text: stored, body: body ?? stored ?? "" };
}

/** On a topic without a schema, a payload with `data` alone is no envelope: `v` or `schema` must be present too. */
const isEnvelope = (payload: unknown): payload is Record<string, unknown> =>
  isEnveloped(payload) && (Object.hasOwn(payload, "v") || Object.hasOwn(payload, "schema"));

/**
 * Publishes on a topic without a registered schema. A bare payload is stored and passed on unchanged; an envelope is
 * stamped. An envelope counts once for its id.
 */
function publishOther(context: PublishPath, peer: Peer, request: OtherPublish, done: Done): void {
  const { topic, payload, echo } = request;
  const envelope = isEnvelope(payload) ? payload : undefined;
  if (isForeign(context, peer, envelope?.["from_peer"])) return done(refused(PUBLISH_FORBIDDEN));
  noteParent(peer, envelope?.["parent_id"]);
  const { text, body } =
    envelope === undefined || request.body !== undefined
      ? untouched(request)
      : sealOther(envelope, peer, { tsServer: context.timestamp(), text: request.text });
  const id = envelopeId(payload);
  const seen = id === undefined ? undefined : context.dedupe.begin(peer.id, id, body);
  if (seen !== undefined && seen.kind !== "new") return answerAgain(seen, done);
  const gated = passOther(context, peer, topic, payload);
  if (gated.kind === "refused") {
    if (seen !== undefined) context.dedupe.forget(seen, new Error("refused"));
    return done(gated);
  }
  const sent = id === undefined ? undefined : { id, body };
  return store(context, { topic, from: peer.id, payload: text, echo, sent }, (outcome) =>
    finish(context, { peer, id, seen, gated, outcome }, done),
  );
}

interface Finish {
  readonly peer: Peer;
  readonly id: string | undefined;
  readonly seen: OpenEntry | undefined;
  readonly gated: Extract<Gated, { kind: "passed" }>;
  readonly outcome: StoredReceipt | Error;
}

/** Settles the gates and the dedupe entry of a publish once the outcome of storing is known, then answers. */
function finish(context: PublishPath, request: Finish, done: Done): void {
  const { seen, gated, outcome } = request;
  const failed = outcome instanceof Error;
  if (failed) noteOwed(request);
  gated.settle(!failed);
  if (seen !== undefined && failed) context.dedupe.forget(seen, outcome);
  else if (seen !== undefined && !failed) context.dedupe.settle(seen, outcome);
  if (failed) return done(notStored(outcome));
  return done({ kind: "stored", receipt: outcome, duplicate: outcome.duplicate === true });
}

/**
 * Whether an envelope names another peer as its sender. Refused under `strict`. Under `compat`, for older clients, the
 * event is stored as sent by the publishing peer.
 */
const isForeign = ({ policy }: PublishPath, peer: Peer, claimed: unknown): boolean =>
  policy === "strict" && claimed !== undefined && claimed !== peer.id && claimed !== peer.speaksFor;

/** Remembers the peer that an envelope says its publisher works for. */
function noteParent(peer: Peer, parentId: unknown): void {
  if (typeof parentId === "string" && parentId !== "") peer.parentId = parentId;
}

interface EventPublish extends Pick<PublishFrame, "text" | "echo"> {
  readonly event: BusEvent;
}

/** Publishes an event of a known schema: stamps the envelope, recognises a repetition, asks the gates. */
function publishEvent(context: PublishPath, peer: Peer, { event, text, echo }: EventPublish, done: Done): void {
  if (isForeign(context, peer, event.envelope?.from_peer)) return done(refused(PUBLISH_FORBIDDEN));
  noteParent(peer, event.envelope?.parent_id);
  const speaker = speakerOf(peer);
  const tsServer = context.timestamp();
  const sealed = seal(event, { id: speaker, name: peer.name }, { tsServer, text });
  const seen = context.dedupe.begin(peer.id, sealed.id, sealed.body);
  if (seen.kind !== "new") return answerAgain(seen, done);
  const gated = passGates(context, peer, event);
  if (gated.kind === "refused") {
    context.dedupe.forget(seen, new Error("refused"));
    return done(gated);
  }
  if (event.schema === "cmd-role-v1") {
    acceptForMembers(context, peer, { topic: event.topic, commandId: sealed.id, echo });
  }
  const { payload } = sealed;
  const request = {
    topic: event.topic,
    from: speaker,
    payload,
    echo,
    isLogEntry: isLogEntry(event, peer),
    tsServer,
    sent: sealed,
  };
  return store(context, request, (outcome) => finish(context, { peer, id: sealed.id, seen, gated, outcome }, done));
}
