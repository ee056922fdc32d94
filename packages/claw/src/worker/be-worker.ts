import type { Command } from "claw-client";
import { ClawError, LIMITS } from "claw-contract";
import type { AgentRun, RunOutcome } from "../harness/index.ts";
import { createAgentControl } from "./run/agent-control.ts";
import { concludeWork } from "./report/conclude-work.ts";
import { createLastEvents } from "./report/publish-until-taken.ts";
import { obeyCommands } from "./obey-commands.ts";
import { walkTo, tell } from "./worker-life.ts";
import { createQueuedTexts } from "./run/queued-texts.ts";
import type { WorkParts } from "./run/run-work.ts";
import { runWork } from "./run/run-work.ts";
import type { LifeParts } from "./worker-life.ts";
import { createStreamReporter } from "./run/stream-reporter.ts";

/** Why the work ends early. */
export type Stop =
  | { readonly kind: "aborted"; readonly command: Command }
  | { readonly kind: "signalled"; readonly signal: NodeJS.Signals }
  /** The bus no longer accepts this worker: another process has taken over the peer, or the token is invalid. */
  | { readonly kind: "shut-out" };

/** The outcome of the work. */
export type Work =
  | { readonly kind: "ran"; readonly outcome: RunOutcome | null }
  /** The agent could not be started. */
  | { readonly kind: "not-started"; readonly error: ClawError };

/** A running worker. */
export interface BusyWorker {
  /** Ends the work. The first reason counts, but an abort overrides a signal. */
  stop(reason: Stop): void;
  /** Resolves with the exit code once all final events are published. Never rejects. */
  readonly done: Promise<number>;
}

/** Announces the start of the work, after the boot. */
function announce(life: LifeParts): void {
  const { worker, job, log } = life;
  const { attempt, harness, reason } = job;
  life.transcript.mark({ subtype: "started", attempt, harness, reason });
  if (job.attempt > 1) tell(life, "signal", worker.signal("restarted", { detail: job.reason ?? "" }));
  walkTo(worker, "PLAN", "the mission was read", (error) => log(`phase PLAN was refused: ${String(error)}`));
}

async function work(parts: WorkParts, signal: AbortSignal): Promise<Work> {
  try {
    return { kind: "ran", outcome: await runWork(parts, signal) };
  } catch (error) {
    if (signal.aborted) return { kind: "ran", outcome: null };
    if (error instanceof ClawError) return { kind: "not-started", error };
    throw error;
  }
}

/** Runs the mission of a booted worker, and publishes the result. */
export function beWorker(life: LifeParts): BusyWorker {
  const controller = new AbortController();
  const control = createAgentControl();
  const texts = createQueuedTexts(life);
  const reporter = createStreamReporter(life);
  let run: AgentRun | null = null;
  let stopped: Stop | null = null;
  const lastEvents = createLastEvents();
  const stop = (reason: Stop): void => {
    lastEvents.stopped(reason);
    // An abort overrides a signal: the abort's reason is reported.
    if (stopped === null || (stopped.kind === "signalled" && reason.kind === "aborted")) stopped = reason;
    controller.abort(
      new ClawError("CANCELLED", "the worker was told to end", { operation: "work", target: life.job.name }),
    );
  };
  const offer = (): void => {
    if (run !== null && !control.isPaused()) texts.offer(run);
  };
  const parts: WorkParts = { life, control, texts, reporter, running: (now) => (run = now) };
  announce(life);
  const abort = (command: Command): void => {
    const evidence = { kind: "sequence", value: command.sequence } as const;
    tell(life, "step", life.worker.step(command, { step: "acked", evidence }));
    stop({ kind: "aborted", command });
  };
  const takeText = (command: Command, text: string): string | null => {
    if (!texts.add(command, text)) return "too many texts wait already";
    life.transcript.mark({ subtype: "told", text: text.slice(0, LIMITS.transcriptTextChars), from: command.from });
    offer();
    return null;
  };
  obeyCommands({ life, control, takeText, abort, offer }).catch((error: unknown) =>
    life.log(`no more commands: ${String(error)}`),
  );
  const finish = async (): Promise<number> => {
    const done = await work(parts, controller.signal);
    return lastEvents.say(concludeWork({ life, texts, reporter, work: done, stop: stopped }));
  };
  const failed = (error: unknown): number => {
    life.log(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  };
  return { stop, done: finish().catch(failed) };
}
