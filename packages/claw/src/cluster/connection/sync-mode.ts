import { parseJson } from "claw-contract";

/** When a server syncs acknowledged messages to the disk. */
export type SyncMode =
  | { readonly kind: "always" }
  | { readonly kind: "interval"; readonly intervalMs: number }
  | { readonly kind: "unknown"; readonly reason: string };

const ANSWER_MS = 3000;
const NANOS = 1_000_000;

/** Interval of servers before 2.10, whose `/jsz` does not name an interval. */
const FIXED_INTERVAL_MS = 120_000;

/** Reads the sync mode in the answer of a server to `/jsz?config=true`. */
export function readSyncMode(answer: unknown): SyncMode {
  const { config } = (answer ?? {}) as { config?: { sync_always?: unknown; sync_interval?: unknown } };
  if (config === undefined) return { kind: "unknown", reason: "the server runs without JetStream" };
  if (config.sync_always === true) return { kind: "always" };
  const { sync_interval: nanos } = config;
  return { kind: "interval", intervalMs: typeof nanos === "number" ? nanos / NANOS : FIXED_INTERVAL_MS };
}

/** Asks a server at its monitoring address, such as `http://127.0.0.1:8222`. Never rejects. */
export async function askSyncMode(monitor: string): Promise<SyncMode> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ANSWER_MS);
  try {
    const response = await fetch(new URL("/jsz?config=true", monitor), { signal: patience.signal });
    if (response.ok) return readSyncMode(parseJson(await response.text()));
    return { kind: "unknown", reason: `${monitor} answers ${response.status}` };
  } catch (error) {
    return { kind: "unknown", reason: `${monitor} does not answer: ${error instanceof Error ? error.message : ""}` };
  } finally {
    clearTimeout(timer);
  }
}
