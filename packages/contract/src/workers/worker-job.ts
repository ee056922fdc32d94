import type { PermissionMode } from "../permissions/permission-table.ts";
import type { PriceOverrides } from "../models/prices.ts";
import type { ReadRequest } from "../wire/wire-types.ts";

/** The git worktree reserved for one worker. */
export interface JobWorktree {
  readonly path: string;
  readonly branch: string;
  /** Commit at which the worktree began. */
  readonly base: string;
  /** Branch that was checked out in the repository at that time; null when none was. Older job files have none. */
  readonly from?: string | null;
  readonly repository: string;
  readonly port: number | null;
}

/**
 * Commands in the log that one life of a worker must obey: commands since the start of the life, and earlier commands
 * that no life took.
 */
export interface JobCommands {
  /** Cursor before the first of these commands. */
  readonly from: string;
  /** Commands later than this sequence belong to the life. */
  readonly after: number;
  /** Sequences of the earlier commands. */
  readonly waiting: readonly number[];
}

/** Fields of the request for a worker that a job holds in another form, or not at all. */
type ChangedField =
  | "name"
  | "cwd"
  | "on"
  | "parent_id"
  | "permission_mode"
  | "worktree"
  | "checks"
  | "env"
  | "budget"
  | "trouble"
  | "key";

/**
 * The daemon's instructions for a worker's process: the fields of the request for the worker, and the worker's identity
 * and place. The file is private: it holds the worker's identity.
 */
export interface WorkerJob extends Omit<ReadRequest<"worker.spawn">, ChangedField> {
  readonly version: 1;
  readonly peerId: string;
  readonly name: string;
  /** Identifies this life of the worker. */
  readonly bootId: string;
  /** 1 for the first start. */
  readonly attempt: number;
  /** Why the worker was started again; null for the first start. */
  readonly reason: string | null;
  readonly cwd: string;
  /** Folder for the files that the worker needs and leaves. */
  readonly folder: string;
  readonly parentId: string | null;
  readonly socket: string;
  readonly resumeToken: string;
  /** Bearer token for the bus; null when the bus needs none. */
  readonly bearer: string | null;
  /** Command line of claw itself. */
  readonly program: readonly [string, ...string[]];
  /** Command with which an agent in a terminal reports. */
  readonly hook: readonly [string, ...string[]];
  readonly permissionMode: PermissionMode | null;
  /** Environment variables of the agent, besides the variables of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly worktree: JobWorktree | null;
  /** Commands that show whether the work is done, as given. Every other reader gets the commands without secrets. */
  readonly checks?: readonly string[];
  /** Files outside git that the worktree needs. Older job files have none. */
  readonly include?: readonly string[] | undefined;
  /** Commands that prepare the worktree. Older job files have none. */
  readonly setup?: readonly string[] | undefined;
  /** Commands to run before the worktree is removed. Older job files have none. */
  readonly teardown?: readonly string[] | undefined;
  /** The user's prices by model. Older job files have none. */
  readonly prices?: PriceOverrides;
  /** Permission mask for files of the agent. */
  readonly umask: number;
  readonly commands: JobCommands;
}

/** Files in a worker's folder. */
/**
 * The request with which an agent's hook reports an event to the worker. Its other fields are the report; the reply's
 * `answer` is the text for the agent, or null.
 */
export const HOOK_REPORT = "report";

export const WORKER_FILES = {
  job: "job.json",
  /** Identity of the worker's process. */
  process: "process.json",
  /** Output of the worker's process. */
  log: "worker.log",
  /** Stream of the worker's agent. */
  transcript: "transcript.jsonl",
  /** State for the next life of the worker. */
  state: "state.json",
  /** Usage of the agent, call by call. */
  calls: "calls.jsonl",
  /** Socket at which an agent in a terminal reports. */
  hooks: "hooks.sock",
  /** Hook settings of an agent in a terminal. */
  hookSettings: "hooks.json",
  /** A mission that is too long for an argument. */
  mission: "mission.md",
} as const;

/** Environment variables that mark every process of a worker, and tell our own agent in a terminal where to report. */
export const WORKER_VARIABLES = {
  id: "CLAW_WORKER_ID",
  life: "CLAW_WORKER_LIFE",
  reports: "CLAW_WORKER_REPORTS",
  /** Address, token and name with which the tools of our own agent connect to the bus. */
  bus: "CLAW_WORKER_BUS",
  token: "CLAW_WORKER_TOKEN",
  name: "CLAW_WORKER_NAME",
} as const;

/**
 * The line on stdin that lets a worker's process begin. The daemon sends the line once the worker is in the log;
 * without the line the process ends, so no unknown worker runs.
 */
export const WORKER_GO = "go\n";
