import type { BusEvent, EventProblem, EventReadResult } from "@claw/contract/schemas";
import { PUBLISH_FORBIDDEN, readEventOf } from "@claw/contract/schemas";
import type { BusContext } from "./bus-context.ts";
import type { Receipt } from "./dedupe.ts";
import type { Peer } from "./peer.ts";
import { seal } from "./seal.ts";
import { store } from "./store-event.ts";
import { publishSystem } from "./system-events.ts";
import { decideWorkerEvent } from "./worker-gate.ts";

export interface PublishRequest {
  readonly topic: unknown;
  readonly payload: unknown;
  /** The payload's own text, where it is known. */
  readonly text: string | undefined;
  readonly echo: boolean;
}

export type PublishOutcome =
  | { readonly kind: "stored"; readonly receipt: Receipt; readonly duplicate: boolean }
  | { readonly kind: "refused"; readonly error: string; readonly more?: Readonly<Record<string, unknown>> };

type Done = (outcome: PublishOutcome) => void;

const refused = (error: string, more?: Readonly<Record<string, unknown>>): PublishOutcome =>
  more === undefined ? { kind: "refused", error } : { kind: "refused", error, more };

/** Checks in the order of the contract: who, what, again?, how often, in order? Calls `done` once, maybe later. */
export function publish(context: BusContext, peer: Peer, request: PublishRequest, done: Done): void {
  const { topic, payload } = request;
  if (typeof topic !== "string" || topic === "") return done(refused("topic required"));
  const plan = context.planOf(peer, topic);
  if (plan.kind === "refused") return done(refused(plan.error));
  if (plan.row === undefined) return publishOther(context, peer, { ...request, topic }, done);
  const reading = readEventOf(plan.row, topic, payload);
  if (reading.ok) return publishEvent(context, peer, { ...request, event: reading.event }, done);
  const problems = problemsOf(reading);
  publishSystem(context, "system.malformed.received", { from: peer.id, topic, error: problems });
  return done(refused("payload:invalid", { details: problems }));
}

function problemsOf(reading: Exclude<EventReadResult, { ok: true }>): readonly EventProblem[] {
  if (reading.reason === "malformed") return reading.problems;
  const named = reading.reason === "unknown-version" ? reading.schema : reading.topic;
  return [{ code: "unknown_version", path: ["schema"], message: `${named} is not known here` }];
}

/** The rate of a peer on one family of topics. */
function overRate(context: BusContext, peer: Peer, topic: string): PublishOutcome | undefined {
  const family = topic.slice(0, topic.indexOf(".") >>> 0);
  const taken = context.rateOf(peer, family).take(context.now());
  return taken.ok ? undefined : refused("rate-limit-exceeded", { retry_after_ms: taken.retryAfterMs });
}

interface OtherPublish extends PublishRequest {
  readonly topic: string;
}

/** A topic nobody registered a schema for: stored and passed on untouched. */
function publishOther(context: BusContext, peer: Peer, request: OtherPublish, done: Done): void {
  const { topic, payload, echo } = request;
  const limited = overRate(context, peer, topic);
  if (limited !== undefined) return done(limited);
  const text = payload === undefined ? undefined : (request.text ?? JSON.stringify(payload));
  store(context, { topic, from: peer.id, payload: text, echo }, (outcome) =>
    done(
      outcome instanceof Error
        ? refused("event-log:write-failed")
        : { kind: "stored", receipt: outcome, duplicate: false },
    ),
  );
}

interface EventPublish extends PublishRequest {
  readonly event: BusEvent;
}

/** An event of a known schema: stamped, recognised when it comes again, held to the worker's own order. */
function publishEvent(context: BusContext, peer: Peer, request: EventPublish, done: Done): void {
  const { event, echo } = request;
  const claimed = event.envelope?.from_peer;
  if (claimed !== undefined && claimed !== peer.id) return done(refused(PUBLISH_FORBIDDEN));
  const sealed = seal(event, peer, { tsServer: context.timestamp(), text: request.text });
  const seen = context.dedupe.begin(peer.id, sealed.id, sealed.body);
  if (seen.kind === "conflict") return done(refused("duplicate id with another body"));
  if (seen.kind === "done") return done({ kind: "stored", receipt: seen.receipt, duplicate: true });
  if (seen.kind === "in-flight") {
    return seen.wait((outcome) =>
      done(
        outcome instanceof Error
          ? refused("event-log:write-failed")
          : { kind: "stored", receipt: outcome, duplicate: true },
      ),
    );
  }
  const before = peer.worker;
  const stopped = gate(context, peer, event);
  if (stopped !== undefined) {
    context.dedupe.forget(peer.id, sealed.id, new Error("refused"));
    return done(stopped);
  }
  return store(context, { topic: event.topic, from: peer.id, payload: sealed.payload, echo }, (outcome) => {
    if (outcome instanceof Error) {
      peer.worker = before;
      context.dedupe.forget(peer.id, sealed.id, outcome);
      done(refused("event-log:write-failed"));
      return;
    }
    context.dedupe.settle(peer.id, sealed.id, outcome);
    done({ kind: "stored", receipt: outcome, duplicate: false });
  });
}

/** Rate and order. Passing moves what is known of the worker; a failed commit moves it back. */
function gate(context: BusContext, peer: Peer, event: BusEvent): PublishOutcome | undefined {
  const limited = overRate(context, peer, event.topic);
  if (limited !== undefined) return limited;
  if (!event.topic.startsWith(`worker.${peer.id}.`)) return undefined;
  const decision = decideWorkerEvent(peer.worker, event);
  if (decision.kind === "pass") {
    peer.worker = decision.worker;
    return undefined;
  }
  publishSystem(context, "system.gate.fired", { tool: "publish", reason: decision.reason, peerId: peer.id });
  return refused(`gate: ${decision.reason}`);
}
