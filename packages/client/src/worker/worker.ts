import type { Phase, WorkerSignalName } from "claw-contract";
import type {
  EventKind,
  RequestOption,
  Severity,
  WorkerBoot,
  WorkerCommandStep,
  WorkerComplete,
  WorkerHeartbeat,
  WorkerSignal,
} from "claw-contract/schemas";
import type { Client, ClientOptions } from "../client.ts";
import type { PublishOptions } from "../publishing/prepare-publish.ts";
import type { Receipt } from "../publishing/spool.ts";
import type { Answer, AskLimits, Command } from "./commands.ts";

type Known<Shape> = { [Key in keyof Shape as string extends Key ? never : Key]: Shape[Key] };

/** The content of a worker's boot event. `terminal_id` defaults to the client's terminal. */
export type BootInput = Omit<Known<WorkerBoot>, "role" | "terminal_id"> & {
  readonly role?: WorkerBoot["role"];
  readonly terminal_id?: string;
};

/** Heartbeat fields that the worker sets as it learns them. Counts never set are 0; other fields are left out. */
export type HeartbeatFields = Partial<
  Omit<Known<WorkerHeartbeat>, "current_phase" | "time_in_phase_ms" | "last_event_id" | "severity" | "message">
>;

export interface EventFields {
  /** `warn` for BLOCKED, `error` for ERROR, otherwise `info`. */
  readonly severity?: Severity;
  readonly request_id?: string;
  /** Fields of the event's kind. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A question to the orchestrator. */
export interface AskInput extends AskLimits {
  readonly message: string;
  /** `decision` unless given. */
  readonly request_type?: string;
  readonly options?: readonly RequestOption[];
  readonly request_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A BLOCKED event: the reason why a worker cannot continue. */
export interface BlockedInput extends AskLimits {
  readonly message: string;
  readonly blocking_resource?: string;
  readonly retryable?: boolean;
  readonly request_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How the mission ended; `ok` without artifacts by default. The client fills in phases and duration. */
export type CompleteInput = Omit<Partial<Known<WorkerComplete>>, "summary" | "phases_completed"> & {
  readonly summary: string;
  readonly phases_completed?: Phase[];
};

/** Further fields of a signal. The source is the worker itself by default. */
export type SignalFields = Partial<Omit<Known<WorkerSignal>, "signal">>;

/** How far a command has come. The route is the bus by default. */
export type CommandStepInput = Omit<Known<WorkerCommandStep>, "command_id" | "route"> &
  Partial<Pick<WorkerCommandStep, "route">>;

export const severityOf = (kind: EventKind): Severity =>
  kind === "BLOCKED" ? "warn" : kind === "ERROR" ? "error" : "info";

export interface WorkerOptions extends ClientOptions {
  /** The peer this worker works for. Every published event names this peer as parent. */
  readonly parentId?: string;
  readonly heartbeatMs?: number;
  /** Cursor after which `commands` begins. By default, commands begin with the first connection. */
  readonly commandsFrom?: string;
}

/**
 * A worker on the bus. Each publishing method resolves with a receipt and rejects as `publish` does. A bus whose log
 * was replaced has forgotten the worker. To this bus the worker first publishes its boot again, then the way to its
 * phase, then its open questions.
 */
export interface Worker extends Client {
  /** Announces that the worker is up; call once. Heartbeats begin, and stop at a terminal phase, an end or `close`. */
  boot(input: BootInput, given?: Pick<PublishOptions, "id">): Promise<Receipt>;
  currentPhase(): Phase | null;
  /** Enters a phase. Throws GATE_REFUSED without sending anything when the order of phases forbids it. */
  phase(to: Phase, reason: string, metadata?: Readonly<Record<string, unknown>>): Promise<Receipt>;
  /** Sets fields of the heartbeats to come, such as `tokens_used` and `cost_usd`. */
  report(fields: HeartbeatFields): void;
  /** Sends an additional heartbeat now, for values that must not wait for the next regular heartbeat. */
  beat(): Promise<Receipt>;
  event(kind: EventKind, message: string, fields?: EventFields): Promise<Receipt>;
  /** Reports an observation about the agent that this worker looks after. */
  signal(name: WorkerSignalName, fields?: SignalFields): Promise<Receipt>;
  /** Reports how far a command has come. For workers whose boot names the capability `commands`. */
  step(command: Pick<Command, "id">, input: CommandStepInput): Promise<Receipt>;
  /**
   * Publishes a REQUEST event. Resolves with the first command to this worker that carries the request id, even when
   * the connection was lost meanwhile. Rejects as `publish` does, with TIMEOUT or CANCELLED, or when the client ends.
   */
  ask(input: AskInput): Promise<Answer>;
  /** The same with a BLOCKED event. */
  blocked(input: BlockedInput): Promise<Answer>;
  /**
   * Commands to this worker and to its role, without the answers to `ask` and `blocked`, from the first connection on
   * or from `commandsFrom`. All callers share one iterator: after a caller leaves its loop, the next loop gets the
   * commands that follow. Ends with the client.
   */
  commands(): AsyncIterableIterator<Command>;
  /** Announces that the mission has ended; call once, as the last event. */
  complete(input: CompleteInput): Promise<Receipt>;
  /** The last report of a worker that goes down: one last heartbeat and a fatal ERROR event. */
  fatal(message: string, data?: Readonly<Record<string, unknown>>): Promise<Receipt>;
}
