import { clawEnvelope } from "./claw-envelope.ts";
import { exitCodeFor } from "./exit-code.ts";
import { flatEnvelope } from "./flat-envelope.ts";
import type { Envelope, Outcome, Reply } from "./outcome.ts";
import { responseEnvelope } from "./response-envelope.ts";

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
