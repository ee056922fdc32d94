import { ClawError, CLIENT_LIMITS, isPhase } from "@claw/contract";
import type { Phase } from "@claw/contract";
import type { CancelSignal } from "../cancel-signal.ts";
import { onAbort } from "../cancel-signal.ts";
import type { Deferred } from "../deferred.ts";
import { createDeferred } from "../deferred.ts";
import type { Subscription } from "../subscription.ts";
import type { Timer } from "../timer.ts";
import { closedError } from "../wire-error.ts";
import type { Command } from "./command.ts";
import { readCommand } from "./command.ts";

/** What came back to a request of a worker. */
export interface Answer {
  readonly action: string;
  /** False for `reject`. */
  readonly approved: boolean;
  readonly payload: unknown;
  /** Why it was rejected. */
  readonly reason: string | undefined;
  readonly command: Command;
}

export interface AskLimits {
  /** Rejects with TIMEOUT then. Without it an answer is waited for as long as the client lives. */
  readonly timeoutMs?: number;
  readonly signal?: CancelSignal;
}

function answerOf(command: Command): Answer {
  const { action, data } = command;
  const { reason, payload } = data;
  return {
    action,
    approved: action !== "reject",
    payload,
    reason: typeof reason === "string" ? reason : undefined,
    command,
  };
}

/** Requests of a worker that wait for an answer. */
export class Asks {
  readonly #timer: Timer;
  readonly #permit: (phase: Phase) => void;
  readonly #waiting = new Map<string, Deferred<Answer>>();
  /** Ids that were asked with, so that their answers are not mistaken for other commands; the oldest are forgotten. */
  readonly #known = new Set<string>();

  /** `permit` is told of phases that an orchestrator allows out of order. */
  constructor(timer: Timer, permit: (phase: Phase) => void) {
    this.#timer = timer;
    this.#permit = permit;
  }

  /** Resolves with the first answer under this id; rejects with TIMEOUT, CANCELLED, or when the client ends. */
  async open(requestId: string, { timeoutMs, signal }: AskLimits): Promise<Answer> {
    const answer = createDeferred<Answer>();
    this.#waiting.set(requestId, answer);
    this.#remember(requestId);
    const ended = (code: "TIMEOUT" | "CANCELLED"): void =>
      this.drop(requestId, new ClawError(code, "no answer came", { operation: "ask", target: requestId }));
    const cancel = timeoutMs === undefined ? () => undefined : this.#timer.after(timeoutMs, () => ended("TIMEOUT"));
    const stop = onAbort(signal, () => ended("CANCELLED"));
    try {
      return await answer.promise;
    } finally {
      cancel();
      stop();
    }
  }

  /** Nobody waits for it any more. */
  drop(requestId: string, error: Error): void {
    this.#waiting.get(requestId)?.reject(error);
    this.#waiting.delete(requestId);
  }

  isOpen(requestId: string): boolean {
    return this.#waiting.has(requestId);
  }

  /** Whether a command answers a request that was made here, open or not. */
  isAnswer({ correlationId }: Command): boolean {
    return correlationId !== undefined && this.#known.has(correlationId);
  }

  /** Reads commands until there are no more. */
  async listen(commands: Subscription): Promise<void> {
    let end: Error = closedError("ask", "answer");
    try {
      for await (const item of commands) this.#hear(readCommand(item));
    } catch (error) {
      end = error instanceof Error ? error : end;
    }
    for (const requestId of this.#waiting.keys()) this.drop(requestId, end);
  }

  #hear(command: Command | undefined): void {
    if (command === undefined) return;
    const { action, data, correlationId } = command;
    if (action === "set_phase" && isPhase(data["phase"])) this.#permit(data["phase"]);
    if (correlationId === undefined) return;
    this.#waiting.get(correlationId)?.resolve(answerOf(command));
    this.#waiting.delete(correlationId);
  }

  #remember(requestId: string): void {
    this.#known.add(requestId);
    const [oldest] = this.#known;
    if (this.#known.size > CLIENT_LIMITS.rememberedAsks && oldest !== undefined) this.#known.delete(oldest);
  }
}
