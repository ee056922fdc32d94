import type { Phase } from "claw-contract";
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
import type { AskLimits } from "./asks.ts";

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
