import type { Phase, WorkerSignalName } from "@claw/contract";
import type { EventKind } from "@claw/contract/schemas";
import type { Client, ClientOptions } from "../client.ts";
import type { PublishOptions } from "../prepare-publish.ts";
import type { Receipt } from "../spool.ts";
import type { Answer } from "./asks.ts";
import type { Command } from "./command.ts";
import type {
  AskInput,
  BlockedInput,
  BootInput,
  CommandStepInput,
  CompleteInput,
  EventFields,
  HeartbeatFields,
  SignalFields,
} from "./worker-input.ts";

export interface WorkerOptions extends ClientOptions {
  /** Peer this worker works for; stands in every event it publishes. */
  readonly parentId?: string;
  readonly heartbeatMs?: number;
  /** Cursor behind which `commands` begin; without it they begin with the first connection. */
  readonly commandsFrom?: string;
}

/**
 * A worker on the bus. Everything it publishes resolves with a receipt and rejects as `publish` does. To a bus that has
 * forgotten it, because its log was replaced, it announces itself again before anything else: boot, the way to its
 * phase, and questions still open.
 */
export interface Worker extends Client {
  /** Says that the worker is up; once. Heartbeats begin with it, and stop at a terminal phase, an end or `close`. */
  boot(input: BootInput, given?: Pick<PublishOptions, "id">): Promise<Receipt>;
  currentPhase(): Phase | null;
  /** Enters a phase. Throws GATE_REFUSED without sending anything when the order of phases forbids it. */
  phase(to: Phase, reason: string, metadata?: Readonly<Record<string, unknown>>): Promise<Receipt>;
  /** Sets fields of the heartbeats to come, such as `tokens_used` and `cost_usd`. */
  report(fields: HeartbeatFields): void;
  /** Sends a heartbeat now, besides those that come by themselves, for what is not to wait for the next. */
  beat(): Promise<Receipt>;
  event(kind: EventKind, message: string, fields?: EventFields): Promise<Receipt>;
  /** Says what was noticed of the agent that this worker looks after. */
  signal(name: WorkerSignalName, fields?: SignalFields): Promise<Receipt>;
  /** Says how far a command has come, for a worker that named `commands` among the capabilities of its boot. */
  step(command: Pick<Command, "id">, input: CommandStepInput): Promise<Receipt>;
  /**
   * Publishes a REQUEST; resolves with the first command to this worker that carries its id, also when the
   * connection was lost in between. Rejects as `publish` does, with TIMEOUT or CANCELLED, or when the client ends.
   */
  ask(input: AskInput): Promise<Answer>;
  /** The same with a BLOCKED event. */
  blocked(input: BlockedInput): Promise<Answer>;
  /**
   * Commands to this worker and to its role, without the answers to `ask` and `blocked`, from the first connection
   * on, or from `commandsFrom`. One iterator for all callers: leaving a loop leaves what follows to the next one. Ends with the client.
   */
  commands(): AsyncIterableIterator<Command>;
  /** Says that the mission has ended; once, as the last thing. */
  complete(input: CompleteInput): Promise<Receipt>;
  /** The last will of a worker that goes down: a last heartbeat and an ERROR that is fatal. */
  fatal(message: string, data?: Readonly<Record<string, unknown>>): Promise<Receipt>;
}
