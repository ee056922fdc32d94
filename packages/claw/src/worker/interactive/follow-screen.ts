import type { ReceivedReply } from "claw-contract";
import { LIMITS, shellQuote } from "claw-contract";
import { setTimeout as delay } from "node:timers/promises";
import type { LifeParts } from "../worker-life.ts";
import type { Shown } from "./screen-evidence.ts";
import { looksFor, readShown } from "./screen-evidence.ts";
import type { SessionReporter } from "./session-reporter.ts";

type Look = ReceivedReply<"worker.terminal.watch">;

/** Looks in a row that found the same, and that no report of the agent came between. */
class Agreement {
  #found = "";
  #looks = 0;

  /** How often that was found now. */
  add(shown: Shown): number {
    const found = JSON.stringify(shown);
    this.#looks = found === this.#found ? this.#looks + 1 : 1;
    this.#found = found;
    return this.#looks;
  }

  forget(): void {
    this.#looks = 0;
    this.#found = "";
  }
}

/** Believes what was seen often enough. True when no further look is needed before something is drawn. */
function believe({ job }: LifeParts, reporter: SessionReporter, { shown, quiet }: Look, agreement: Agreement): boolean {
  if (shown === null) return true;
  const session = reporter.session();
  // An agent that works draws all the time: at rest, and on a screen that is not known, it does not.
  const isSteady = quiet || shown.kind === "at-work" || shown.kind === "question";
  if (!isSteady) agreement.forget();
  if (!isSteady || agreement.add(shown) < looksFor(shown, session)) return false;
  const telling = readShown(session, shown, shellQuote(job.name));
  if (telling !== null) reporter.see(telling);
  return true;
}

/** Tells now and then that output flows. */
function createActivity({ worker, now }: LifeParts): (total: number) => void {
  let [seen, reportedAt] = [-1, now()];
  return (total) => {
    const isDue = seen >= 0 && total > seen && now() - reportedAt >= LIMITS.workerActivityMs;
    if (seen < 0 || isDue) seen = total;
    if (!isDue) return;
    reportedAt = now();
    worker.signal("activity", { source: "terminal", pty_offset: total }).catch(() => undefined);
  };
}

/**
 * Watches an agent's terminal until the signal is aborted: tells that output flows, and what the screen shows where the
 * agent reports nothing. It looks only after something was drawn. Never rejects.
 */
export async function followScreen(life: LifeParts, reporter: SessionReporter, signal: AbortSignal): Promise<void> {
  const { worker, job, log } = life;
  const [agreement, tellActivity] = [new Agreement(), createActivity(life)];
  let after: number | null = null;
  while (!signal.aborted) {
    try {
      const heard = reporter.heard();
      const calm = after !== null && reporter.session().turn === "running";
      const look: Look = await worker.request("worker.terminal.watch", { after, calm });
      tellActivity(look.total);
      const isOutdated = heard !== reporter.heard();
      if (isOutdated) agreement.forget();
      // Our own agent reports everything.
      const isSettled = job.harness === "claw" || believe(life, reporter, look, agreement);
      after = isSettled && !isOutdated ? look.total : null;
    } catch (error) {
      if (signal.aborted) return;
      log(`the agent's screen is not seen: ${String(error)}`);
      await delay(LIMITS.workerLookMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
