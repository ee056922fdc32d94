import { setTimeout as delay } from "node:timers/promises";
import { ClawError } from "claw-contract";

const BUSY_MS = 100;

const isBusy = (error: unknown): boolean => error instanceof ClawError && error.code === "PUBLISH_RATE_LIMITED";

/** Asks again when too many requests were sent. Rejects as `ask` does with any other error. */
export async function patiently<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await delay(BUSY_MS);
    }
  }
}
