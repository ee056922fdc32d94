import { ClawError, isObject, isPhase, onAbort } from "claw-contract/client";
import type { CancelSignal, Phase } from "claw-contract";
import type { Deferred } from "../deferred.ts";
import { createDeferred } from "../deferred.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { Timer } from "../platform.ts";
import { closedError } from "../connection/wire-error.ts";
import type { BusItem } from "../subscriptions/bus-item.ts";

/** A message from an orchestrator, or from the bus, that tells a worker to act. */
export interface Command {
  /** The id of the command's event; `seq:` and the sequence when the event has no envelope. */
  readonly id: string;
  readonly sequence: number;
  /** `approve`, `abort`, `set_phase` and so on. */
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The id of the worker's question that the command answers; undefined for other commands. */
  readonly correlationId: string | undefined;
  readonly from: string;
  readonly topic: string;
  readonly cursor: string;
}

/** Reads `cmd.<peer>.<action>` and `cmd.role.<role>`; undefined for anything else. */
export function readCommand(item: BusItem): Command | undefined {
  if (item.kind !== "event") return undefined;
  const [namespace, target, ...rest] = item.topic.split(".");
  if (namespace !== "cmd" || rest.length === 0) return undefined;
  const data = isObject(item.data) ? item.data : {};
  const action = target === "role" ? data["command"] : rest.join(".");
  if (typeof action !== "string") return undefined;
  const correlation = data["correlation_id"] ?? item.envelope?.correlation_id;
  return {
    id: item.envelope?.id ?? `seq:${item.sequence}`,
    sequence: item.sequence,
    action,
    data,
    correlationId: typeof correlation === "string" ? correlation : undefined,
    from: item.from,
    topic: item.topic,
    cursor: item.cursor,
  };
}

/** Requests of a worker whose answers are kept apart from the worker's other commands. */
const REMEMBERED_ASKS = 1000;

/** An orchestrator's answer to a worker's question. */
export interface Answer {
  readonly action: string;
  /** False for `reject`. */
  readonly approved: boolean;
  readonly payload: unknown;
  /** Why the orchestrator rejected the question. */
  readonly reason: string | undefined;
  readonly command: Command;
}

export interface AskLimits {
  /** Rejects with TIMEOUT after this time. Without a timeout, the worker waits as long as the client lives. */
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

/** Questions of a worker that wait for an answer. */
export class Asks {
  readonly #timer: Timer;
  readonly #permit: (phase: Phase) => void;
  readonly #waiting = new Map<string, Deferred<Answer>>();
  /** Ids of questions asked so far, to tell answers from other commands. The oldest ids are forgotten. */
  readonly #known = new Set<string>();

  /** `permit` is called for each phase that an orchestrator allows out of order. */
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

  /** Rejects and forgets a question that waits for an answer. */
  drop(requestId: string, error: Error): void {
    this.#waiting.get(requestId)?.reject(error);
    this.#waiting.delete(requestId);
  }

  isOpen(requestId: string): boolean {
    return this.#waiting.has(requestId);
  }

  /** Whether a command answers a question of this worker, open or not. */
  isAnswer({ correlationId }: Command): boolean {
    return correlationId !== undefined && this.#known.has(correlationId);
  }

  /** Reads commands until the subscription ends, then rejects all open questions. */
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
    if (this.#known.size > REMEMBERED_ASKS && oldest !== undefined) this.#known.delete(oldest);
  }
}
