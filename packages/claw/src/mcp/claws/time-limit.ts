import { ANSWER_RESERVE_SECONDS, ClawError, MAX_TOOL_WAIT_SECONDS } from "claw-contract";
import type { Ports } from "../../verbs/index.ts";

/** How long a call waits at most, so that its answer comes within the time limit of every client. */
export const LONGEST_WAIT_MS = (MAX_TOOL_WAIT_SECONDS - ANSWER_RESERVE_SECONDS) * 1000;

/** Does work with ports whose signal is aborted with TIMEOUT after a time, and with the call's own signal. */
export async function withTimeLimit<P extends Ports, T>(
  ports: P,
  { ms, target }: { readonly ms: number; readonly target: string },
  work: (ports: P) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const late = new ClawError("TIMEOUT", "the time is over", { operation: "call_tool", target });
  const timer = setTimeout(() => ending.abort(late), ms);
  const stop = (): void => ending.abort(ports.signal.reason);
  ports.signal.addEventListener("abort", stop, { once: true });
  if (ports.signal.aborted) stop();
  try {
    return await work({ ...ports, signal: ending.signal });
  } finally {
    clearTimeout(timer);
    ports.signal.removeEventListener("abort", stop);
  }
}
