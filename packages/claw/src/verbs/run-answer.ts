import type { RunAnswer, RunResult } from "@claw/contract";
import type { Spool } from "../harness/index.ts";
import { NO_RESULT } from "../harness/index.ts";
import type { Ports } from "./handle.ts";

/** Room for the envelope and what it says besides. */
const ENVELOPE_BYTES = 4096;

const weigh = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Whether events are printed one by one as they come. */
export const passesOn = ({ streaming, forPeople }: Ports): boolean => streaming && !forPeople;

/** The result without its events: they are elsewhere. */
const emptied = (result: RunResult): RunResult => ({ ...result, raw_messages: [], stream_events: [] });

/** The result without its events, of which most callers want the numbers alone. */
export function withoutEvents({ raw_messages: _raw, stream_events: _events, ...result }: RunResult): RunAnswer {
  return result;
}

/** Puts the events of a result into the file that holds such, unless they are there already. */
function moveEvents(result: RunResult, spool: Spool): RunResult {
  if (result.raw_messages_path === undefined) {
    for (const native of result.raw_messages) spool.append(JSON.stringify(native));
  }
  const { path } = spool;
  return { ...emptied(result), raw_messages_path: path, stream_events_path: path, truncated: true };
}

/** Tells people what a run reported beside its result. Programs have it in the result. */
export function tellDiagnostics({ diagnostics }: RunAnswer, { announce }: Ports): void {
  for (const line of diagnostics) announce(`claw.run: ${line}`);
}

/** What a run warns of that ended well and may not have done all it should begins with one of these. */
const DOUBTS = [
  "interactive-hang: ",
  "background-task: ",
  "limit: ",
  "permission-denied: ",
  "permission-unanswered: ",
  "sandbox: ",
  NO_RESULT,
];

/** A doubt about how the run ended is no failure of the call; whoever reads only its outcome should hear of it. */
export function warnOfDoubt({ warnings }: RunAnswer, { notes }: Ports): void {
  const doubts = warnings.filter((warning) => DOUBTS.some((prefix) => warning.startsWith(prefix)));
  for (const doubt of doubts) notes.warn(doubt);
}

/**
 * The result of a run as an answer. Its events stay in it while it is not too heavy; otherwise, or when they were printed
 * one by one, they are left out of it.
 */
export function answerRun(result: RunResult, ports: Ports, spool: Spool): { result: RunResult } {
  tellDiagnostics(result, ports);
  warnOfDoubt(result, ports);
  if (passesOn(ports)) return { result: emptied(result) };
  if (weigh(result) + ENVELOPE_BYTES <= ports.maxAnswerBytes) return { result };
  return { result: moveEvents(result, spool) };
}
