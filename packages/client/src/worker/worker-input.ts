import type { Phase } from "@claw/contract";
import type {
  EventKind,
  RequestOption,
  Severity,
  WorkerBoot,
  WorkerCommandStep,
  WorkerComplete,
  WorkerHeartbeat,
  WorkerSignal,
} from "@claw/contract/schemas";
import type { AskLimits } from "./asks.ts";

type Known<Shape> = { [Key in keyof Shape as string extends Key ? never : Key]: Shape[Key] };

/** What a worker says of itself when it is ready. `terminal_id` is the client's own unless given. */
export type BootInput = Omit<Known<WorkerBoot>, "role" | "terminal_id"> & {
  readonly role?: WorkerBoot["role"];
  readonly terminal_id?: string;
};

/** Fields of heartbeats that a worker sets as it learns them; what it never set is 0 or left out. */
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

/** A question to whoever orchestrates. */
export interface AskInput extends AskLimits {
  readonly message: string;
  /** `decision` unless given. */
  readonly request_type?: string;
  readonly options?: readonly RequestOption[];
  readonly request_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Something that keeps a worker from going on. */
export interface BlockedInput extends AskLimits {
  readonly message: string;
  readonly blocking_resource?: string;
  readonly retryable?: boolean;
  readonly request_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How the mission ended: `ok` without artifacts unless given. Phases and duration are known already. */
export type CompleteInput = Omit<Partial<Known<WorkerComplete>>, "summary" | "phases_completed"> & {
  readonly summary: string;
  readonly phases_completed?: Phase[];
};

/** More about a signal; noticed by the worker itself unless said otherwise. */
export type SignalFields = Partial<Omit<Known<WorkerSignal>, "signal">>;

/** How far a command has come; over the bus unless said otherwise. */
export type CommandStepInput = Omit<Known<WorkerCommandStep>, "command_id" | "route"> &
  Partial<Pick<WorkerCommandStep, "route">>;

export const severityOf = (kind: EventKind): Severity =>
  kind === "BLOCKED" ? "warn" : kind === "ERROR" ? "error" : "info";
