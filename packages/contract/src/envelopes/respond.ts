import { clawEnvelope } from "./claw-envelope.ts";
import { flatEnvelope } from "./flat-envelope.ts";
import type { Envelope, Outcome, Reply, Result } from "./outcome.ts";
import { responseEnvelope } from "./response-envelope.ts";
import type { ClawError } from "../errors/errors.ts";
import { errorRow } from "../errors/errors.ts";
import { exitNumber } from "../errors/exits.ts";

const SIGNAL_EXITS: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The exit of a call that a signal ended, where the envelope has room for one. */
function signalExit(failure: ClawError): number | undefined {
  if (failure.code !== "CANCELLED") return undefined;
  const signal = failure.options.details?.["signal"];
  return typeof signal === "string" ? SIGNAL_EXITS[signal] : undefined;
}

/** The process exit for a result: 0–13 in `response`, 0–2 in `claw`, 0–1 in `flat`. */
export function exitCodeFor(result: Result, envelope: Envelope, format: "text" | "json"): number {
  if (result.kind !== "failure") return exitNumber("SUCCESS");
  const exit = errorRow(result.failure.code).exit;
  if (envelope === "response" || format === "text") {
    const bySignal = signalExit(result.failure);
    if (bySignal !== undefined) return bySignal;
  }
  if (envelope === "response") return exitNumber(exit);
  return envelope === "claw" && exit === "TIMEOUT" ? 2 : 1;
}

/**
 * Renders an outcome in one of the three envelopes. The only maker of envelopes: body and process exit
 * come from the same place and cannot disagree.
 */
export function respond(outcome: Outcome, envelope: Envelope): Reply {
  const exitCode = exitCodeFor(outcome.result, envelope, "json");
  switch (envelope) {
    case "claw":
      return { body: clawEnvelope(outcome, exitCode), exitCode };
    case "flat":
      return { body: flatEnvelope(outcome), exitCode };
    case "response":
      return { body: responseEnvelope(outcome, exitCode), exitCode };
  }
}
