import type { RunAnswer, RunResult } from "claw-contract";
import type { EventSpool } from "../../harness/index.ts";
import { NO_RESULT } from "../../harness/index.ts";
import type { Ports } from "../runtime/handle.ts";

/** Bytes reserved for the envelope and the other fields of the answer. */
const ENVELOPE_BYTES = 4096;

const weigh = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Whether events are printed as soon as they come. */
export const passesOn = ({ streaming, forPeople }: Ports): boolean => streaming && !forPeople;

/** The result without events, which are printed or in a file. */
const emptied = (result: RunResult): RunResult => ({ ...result, raw_messages: [], stream_events: [] });

/** The result without events: most callers want only the numbers. */
export function withoutEvents({ raw_messages: _raw, stream_events: _events, ...result }: RunResult): RunAnswer {
  return result;
}

/** Moves the events of a result into the spool file, unless the file holds them already. */
function moveEvents(result: RunResult, spool: EventSpool): RunResult {
  if (result.raw_messages_path === undefined) {
    for (const native of result.raw_messages) spool.append(JSON.stringify(native));
  }
  const { path } = spool;
  return { ...emptied(result), raw_messages_path: path, stream_events_path: path, truncated: true };
}

/** Shows people the diagnostics of a run. Programs find the diagnostics in the result. */
export function tellDiagnostics({ diagnostics }: RunAnswer, { announce }: Ports): void {
  for (const line of diagnostics) announce(`claw.run: ${line}`);
}

/** Prefixes of warnings about a run that ended well but may have left some work undone. */
const DOUBTS = [
  "interactive-hang: ",
  "background-task: ",
  "limit: ",
  "permission-denied: ",
  "permission-unanswered: ",
  "sandbox: ",
  NO_RESULT,
];

/** A doubt about the end of a run is no failure of the call. The warning is for callers that read only the outcome. */
export function warnOfDoubt({ warnings }: RunAnswer, { notes }: Ports): void {
  const doubts = warnings.filter((warning) => DOUBTS.some((prefix) => warning.startsWith(prefix)));
  for (const doubt of doubts) notes.warn(doubt);
}

/**
 * The answer about a run. A result of moderate size keeps its events. The events of a larger result go to the spool
 * file. Events that were already printed are left out.
 */
export function answerRun(result: RunResult, ports: Ports, spool: EventSpool): { result: RunResult } {
  tellDiagnostics(result, ports);
  warnOfDoubt(result, ports);
  if (passesOn(ports)) return { result: emptied(result) };
  if (weigh(result) + ENVELOPE_BYTES <= ports.maxAnswerBytes) return { result };
  return { result: moveEvents(result, spool) };
}
