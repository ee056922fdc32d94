import type { EventItem, Observer } from "claw-client";
import { ClawError } from "claw-contract";

/** Milliseconds of the units in `10m` and `3d`. */
export const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Where to begin: after a cursor, or at a moment. */
export type Since =
  | { readonly kind: "cursor"; readonly cursor: string }
  | { readonly kind: "time"; readonly ms: number };

/** Reads `0001:42`, `2026-01-02T03:04:05Z` or `10m`. Throws INVALID_CURSOR. */
export function readSince(text: string, nowMs: number, flag = "--since"): Since {
  if (/^\d{4}:\d{1,15}$/.test(text)) return { kind: "cursor", cursor: text };
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) {
    return { kind: "time", ms: nowMs - Number(amount) * (UNIT_MS[unit] ?? 0) };
  }
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return { kind: "time", ms };
  const target = text.slice(0, 200);
  throw new ClawError("INVALID_CURSOR", `'${target}' is neither a cursor nor a time`, {
    operation: "read_since",
    target: flag,
    hint: "Use a cursor like 0000:0, a time like 2026-01-02T03:04:05Z, or 10m, 2h, 3d.",
  });
}

/** The cursor after which to read. A moment is looked up in the log. */
export async function cursorSince(since: Since, bus: Observer): Promise<string> {
  if (since.kind === "cursor") return since.cursor;
  return (await bus.request("log.cursor", { time: Math.max(0, since.ms) })).cursor;
}

/** Whether an event was stored before that moment, by the bus's clock. */
export const isBefore = ({ storedAtMs }: EventItem, ms: number): boolean => storedAtMs < ms;
