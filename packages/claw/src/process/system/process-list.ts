import { procList } from "./proc-list.ts";
import { createPsList } from "./ps-list.ts";

/** The system's data about a process. */
export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** Zero where the system does not tell. */
  readonly session: number;
  /** When the process was started, in a unit of the system; a later process has no smaller number. */
  readonly started: string;
}

/** What the system tells about the processes of this host. Methods never throw. */
export interface ProcessList {
  /** Undefined when there is no such process, or the system does not tell. */
  stat(pid: number): ProcessStat | undefined;
  /** Every process at this moment; empty where the system does not tell. */
  table(): ReadonlyMap<number, ProcessStat>;
  /** The variables that a process was started with, each between NUL characters; empty when unknown. */
  environment(pid: number): string;
  /** Identifies this start of the system; null where the system has no such id. */
  bootId(): string | null;
}

/** The list of a system without `/proc` and `ps`: a process is known by its pid alone, and a tree by its group. */
const silentList: ProcessList = {
  stat: () => undefined,
  table: () => new Map(),
  environment: () => "",
  bootId: () => null,
};

/** The list of a platform: `/proc` on Linux, `ps` on macOS. */
export function processListFor(platform: NodeJS.Platform): ProcessList {
  if (platform === "linux") return procList;
  return platform === "darwin" ? createPsList() : silentList;
}

export const processList: ProcessList = processListFor(process.platform);
