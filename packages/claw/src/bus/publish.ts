import type { BusEvent, EventProblem, EventReadResult } from "@claw/contract/schemas";
import { PUBLISH_FORBIDDEN, readEventOf } from "@claw/contract/schemas";
import type { BusContext } from "./bus-context.ts";
import { claimName, wrapMalformed } from "./compat.ts";
import type { Receipt } from "./dedupe.ts";
import { passGates, passRate } from "./gates.ts";
import type { Peer } from "./peer.ts";
import { seal } from "./seal.ts";
import { store } from "./store-event.ts";
import { publishSystem } from "./system-events.ts";

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
  const { topic, payload, echo, text } = request;
  if (typeof topic !== "string" || topic === "") return done(refused("topic required"));
  const plan = context.planOf(peer, topic);
  if (plan.kind === "refused") return done(refused(plan.error));
  const taken = context.policy === "compat" ? claimName(context, peer, topic) : undefined;
  if (taken !== undefined) return done(refused(taken));
  if (plan.row === undefined) return publishOther(context, peer, { topic, payload, text, echo }, done);
  const reading = readEventOf(plan.row, topic, payload);
  if (reading.ok) return publishEvent(context, peer, { event: reading.event, text, echo }, done);
  const problems = problemsOf(reading);
  publishSystem(context, "system.malformed.received", { from: peer.id, topic, error: problems });
  if (context.policy === "compat") {
    const wrapped = wrapMalformed(payload, peer, context.timestamp());
    return publishOther(context, peer, { topic, payload, text: wrapped, echo }, done);
  }
  return done(refused("payload:invalid", { details: problems }));
}

function problemsOf(reading: Exclude<EventReadResult, { ok: true }>): readonly EventProblem[] {
  if (reading.reason === "malformed") return reading.problems;
  const named = reading.reason === "unknown-version" ? reading.schema : reading.topic;
  return [{ code: "unknown_version", path: ["schema"], message: `${named} is not known here` }];
}

interface OtherPublish extends PublishRequest {
  readonly topic: string;
}

/** A topic nobody registered a schema for: stored and passed on untouched. */
function publishOther(context: BusContext, peer: Peer, request: OtherPublish, done: Done): void {
  const { topic, payload, echo } = request;
  const gated = passRate(context, peer, topic);
  if (gated.kind === "refused") return done(gated);
  const text = request.text ?? (payload === undefined ? undefined : JSON.stringify(payload));
  return store(context, { topic, from: peer.id, payload: text, echo }, (outcome) => {
    gated.settle(!(outcome instanceof Error));
    done(
      outcome instanceof Error
        ? refused("event-log:write-failed")
        : { kind: "stored", receipt: outcome, duplicate: false },
    );
  });
}

interface EventPublish extends Pick<PublishRequest, "text" | "echo"> {
  readonly event: BusEvent;
}

/** An event of a known schema: stamped, recognised when it comes again, held to the worker's own order. */
function publishEvent(context: BusContext, peer: Peer, request: EventPublish, done: Done): void {
  const { event, echo } = request;
  const claimed = event.envelope?.from_peer;
  if (claimed !== undefined && claimed !== peer.id && context.policy === "strict") {
    return done(refused(PUBLISH_FORBIDDEN));
  }
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
  const gated = passGates(context, peer, event);
  if (gated.kind === "refused") {
    context.dedupe.forget(seen, new Error("refused"));
    return done(gated);
  }
  return store(context, { topic: event.topic, from: peer.id, payload: sealed.payload, echo }, (outcome) => {
    gated.settle(!(outcome instanceof Error));
    if (outcome instanceof Error) {
      context.dedupe.forget(seen, outcome);
      done(refused("event-log:write-failed"));
      return;
    }
    context.dedupe.settle(seen, outcome);
    done({ kind: "stored", receipt: outcome, duplicate: false });
  });
}
