import { ClawError } from "claw-contract";
import type { BusContext } from "../../bus-context.ts";
import { storageCode } from "../../publish/store-event.ts";
import type { WireRequest } from "../../wire/wire.ts";
import { receiptReply, refuseRequest, reply } from "../../wire/wire.ts";
import { HANDLERS } from "../handlers.generated.ts";
import type { IncomingCall, Refused, RequestHandler, RequestOutcome } from "../request-handler.ts";
import { error } from "../request-handler.ts";

/** The answer to a request, as its client reads it. */
export function frameOf(request: WireRequest, outcome: RequestOutcome): string {
  if (outcome.kind === "receipt") return receiptReply(request, outcome.fields);
  return outcome.kind === "ok" ? reply(request, outcome.reply) : refuseRequest(request, outcome.error, outcome.more);
}

/** A frame with a bearer token and no `cmd` counts as the request `auth`. */
export const requestName = ({ cmd, bearer }: WireRequest): unknown =>
  cmd ?? (bearer === undefined ? undefined : "auth");

/** The request's name, for error texts. A name that is no text is shown as its type. */
export const shownName = (name: unknown): string => (typeof name === "string" ? name.slice(0, 200) : typeof name);

/** A handler of an extension replaces the bus's own handler. */
export function findHandler({ extensions }: BusContext, request: WireRequest): RequestHandler | undefined {
  const name = requestName(request);
  return extensions.handler(name) ?? HANDLERS.get(name);
}

export const stackOf = (failure: unknown): string =>
  failure instanceof Error ? (failure.stack ?? failure.message) : typeof failure;

/** A full or broken disk is answered with its code from the error catalogue. Any other error is a defect of the bus. */
const internalError = (failure: unknown): Refused =>
  failure instanceof ClawError ? error("storage:write-failed", storageCode(failure)) : error("internal error");

/** The answer to a request whose handler threw, which is also reported. */
export function refuseFailed({ report }: Pick<BusContext, "report">, request: WireRequest, failure: unknown): Refused {
  report(`${shownName(requestName(request))} failed: ${stackOf(failure)}`);
  return internalError(failure);
}

/** Runs a handler. An error that it throws becomes an answer, never an exception. */
export function runHandler(
  handler: RequestHandler,
  call: IncomingCall,
  answer: (outcome: RequestOutcome) => void,
): void {
  try {
    handler.run(call, answer);
  } catch (failure) {
    answer(refuseFailed(call.context, call.request, failure));
  }
}
