import type { JsonObject } from "claw-contract";
import { isObject, objectOf } from "claw-contract";
import type { Caller, ClientFacts } from "../caller.ts";

/** The extension of the protocol by which a call can go on as a task. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** What a client must declare before it is told of tasks, as errors name it. */
export const TASKS_CAPABILITY = { extensions: { [TASKS_EXTENSION]: {} } } as const;

export const MCP_TASK_STATUSES = ["working", "input_required", "completed", "cancelled", "failed"] as const;

/** A task as `tasks/get` and `notifications/tasks` show it. Times are ISO times. */
export interface Task {
  readonly taskId: string;
  readonly status: (typeof MCP_TASK_STATUSES)[number];
  /** Where the work stands, for people and models. */
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Kept so long after `createdAt`; null for ever. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
  /** Questions that wait for an answer, by key. A key is never used for a second question. */
  readonly inputRequests?: Readonly<Record<string, JsonObject>>;
  /** The result of the call, once `completed`. */
  readonly result?: JsonObject;
  /** The JSON-RPC error of the call, once `failed`. */
  readonly error?: JsonObject;
}

/** Facts about a request that concerns a task. */
export interface TaskCall extends Pick<ClientFacts, "era" | "capabilities"> {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Keeps tasks. A task of another caller counts as unknown. */
export interface TaskStore {
  /** Undefined for an unknown task. */
  get(taskId: string, call: TaskCall): Promise<Task | undefined>;
  /** Takes answers by key; unknown keys are ignored. False for an unknown task. */
  update(taskId: string, responses: JsonObject, call: TaskCall): Promise<boolean>;
  /** Gives the task up, unless it has ended. False for an unknown task. */
  cancel(taskId: string, call: TaskCall): Promise<boolean>;
  /** Calls `changed` whenever the task may have changed, until the signal is aborted. Never throws. */
  watch(taskId: string, call: TaskCall, changed: () => void): void;
}

/** Whether the client of a request can take a task instead of a result. Nothing an earlier request said counts. */
export const declaresTasks = ({ era, capabilities }: Pick<ClientFacts, "era" | "capabilities">): boolean =>
  era === "modern" && isObject(objectOf(capabilities["extensions"])[TASKS_EXTENSION]);
