import type { HarnessId } from "./harness-names.ts";
import type { PermissionMode } from "./permissions/permission-modes.ts";
import type { PriceOverrides } from "./prices.ts";
import type { WorkerMode } from "./worker-words.ts";

/** The git worktree a worker has to itself. */
export interface JobWorktree {
  readonly path: string;
  readonly branch: string;
  /** Commit it began at. */
  readonly base: string;
  /** Branch that was checked out in the repository then; null when none was. Files of older versions have none. */
  readonly from?: string | null;
  readonly repository: string;
  readonly port: number | null;
}

/** Which commands of the log a life of a worker has to obey: those since it was to begin, and those nobody took before. */
export interface JobCommands {
  /** Cursor before all of them. */
  readonly from: string;
  /** Sequence that everything later is for it. */
  readonly after: number;
  /** Sequences before that. */
  readonly waiting: readonly number[];
}

/** What a worker's process is told by the daemon that starts it, in a private file: it holds who the worker is. */
export interface WorkerJob {
  readonly version: 1;
  readonly peerId: string;
  readonly name: string;
  /** Names this life of the worker. */
  readonly bootId: string;
  /** 1 for the first start. */
  readonly attempt: number;
  /** Why it was started anew; null for the first start. */
  readonly reason: string | null;
  readonly harness: HarnessId;
  readonly mode: WorkerMode;
  readonly mission: string;
  readonly model: string | null;
  readonly cwd: string;
  /** Where what it needs and leaves is kept. */
  readonly folder: string;
  readonly parentId: string | null;
  readonly fleet: string | null;
  readonly socket: string;
  readonly resumeToken: string;
  /** What the bus asks for besides; null when it asks for nothing. */
  readonly bearer: string | null;
  /** The command that is claw itself. */
  readonly program: readonly [string, ...string[]];
  /** The command that an agent in a terminal reports with. */
  readonly hook: readonly [string, ...string[]];
  /** What the fake agent plays. */
  readonly scenario: string | null;
  readonly permissionMode: PermissionMode | null;
  /** Variables of the agent besides those of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly worktree: JobWorktree | null;
  /** Commands that show whether its work is done, as they were given; everybody else is told of them without secrets. */
  readonly checks?: readonly string[];
  /** Files that git does not know and its worktree needs. Files of older versions have none. */
  readonly include?: readonly string[];
  /** Commands that prepare its worktree. Files of older versions have none. */
  readonly setup?: readonly string[];
  /** Commands before its worktree is removed, likewise. */
  readonly teardown?: readonly string[];
  /** Prices of the user's own, by model. Files of older versions have none. */
  readonly prices?: PriceOverrides;
  /** What files of the agent are made with. */
  readonly umask: number;
  readonly commands: JobCommands;
}

/** Files in a worker's folder. */
export const WORKER_FILES = {
  job: "job.json",
  /** Identity of its process. */
  process: "process.json",
  /** What it printed. */
  log: "worker.log",
  /** Its agent's own stream. */
  transcript: "transcript.jsonl",
  /** What its next life has to know. */
  state: "state.json",
  /** What its agent used, call by call. */
  calls: "calls.jsonl",
  /** Where an agent in a terminal reports what it does. */
  hooks: "hooks.sock",
  /** What such an agent is told to report. */
  hookSettings: "hooks.json",
  /** A mission that is too long to be an argument. */
  mission: "mission.md",
} as const;

/** Variables by which whatever a worker starts is known to be its own, and where our own agent in a terminal reports. */
export const WORKER_VARIABLES = {
  id: "CLAW_WORKER_ID",
  life: "CLAW_WORKER_LIFE",
  reports: "CLAW_WORKER_REPORTS",
  /** Where the tools of our own agent find the bus, with which token and under which name. */
  bus: "CLAW_WORKER_BUS",
  token: "CLAW_WORKER_TOKEN",
  name: "CLAW_WORKER_NAME",
} as const;

/** What lets a worker's process begin, on its stdin. Without it nobody would know of the worker. */
export const WORKER_GO = "go\n";
