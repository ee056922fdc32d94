import type { WorkerEvent } from "../events/worker-event.ts";
import { LIMITS } from "../limits/limits.ts";
import { numberOf } from "../json.ts";

const timeIn = (value: unknown): number | undefined => {
  const ms = typeof value === "string" ? Date.parse(value) : numberOf(value);
  return ms === undefined || Number.isNaN(ms) ? undefined : ms;
};

/** When a question that was stored at `askedMs` is answered with its default, in milliseconds. */
export function approvalDeadline(event: WorkerEvent, askedMs: number): number {
  const fields: Readonly<Record<string, unknown>> = { ...event, ...event.data };
  const until = timeIn(fields["deadline"]);
  const wanted = until === undefined ? numberOf(fields["timeout_ms"]) : until - askedMs;
  const ms = wanted ?? LIMITS.approvalMs;
  return askedMs + Math.min(Math.max(ms, LIMITS.approvalLeastMs), LIMITS.approvalMostMs);
}
