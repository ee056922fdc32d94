import type { SandboxKind } from "claw-contract";
import type { Workspace } from "../permissions/workspace.ts";
import type { WorkerBus } from "./worker-bus.ts";

/** Where a sandbox is made. `home` is free of links. */
export interface SandboxPlace {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** How one command is confined. */
export interface Confinement {
  /** The folder in which the command runs; absolute and free of links. */
  readonly cwd: string;
  /** Whether the command may change the workspace. */
  readonly writable: boolean;
  /** The socket of the worker, by which the command reaches the bus. */
  readonly bus?: WorkerBus;
  /** Files of the workspace that the command may not see, or not change. */
  readonly kept?: KeptFiles;
  /** An empty folder for this command alone, where the sandbox cannot show another `/tmp`. */
  readonly temporary?: string;
  /** A private git folder, shown to the command in place of the workspace's real git folder. */
  readonly git?: GitView;
}

/** What a command in a worker's worktree sees of git. Places are absolute and free of links. */
export interface GitView {
  /** The private folder of git. */
  readonly folder: string;
  /** Where it is shown: the place that the `.git` of the worktree names. */
  readonly own: string;
  /** The repository's objects, which are shown read-only. */
  readonly objects: string;
  /** Top of the worktree. Where the workspace is a folder below it, the rest of the worktree is shown read-only. */
  readonly tree: string;
}

/** Files that rules keep from commands. Places are absolute and free of links. */
export interface KeptFiles {
  readonly hidden: readonly string[];
  readonly fixed: readonly string[];
  /** Tell which further files are kept, by patterns; undefined where there are no patterns. */
  readonly hides?: ((path: string) => boolean) | undefined;
  readonly fixes?: ((path: string) => boolean) | undefined;
}

/** An entry that a command made or changed, and that claw does not leave in its place. */
export interface MovedAway {
  readonly path: string;
  /** Where it was moved to; null when it could not be moved. */
  readonly movedTo: string | null;
}

/** The findings in the workspace after a command has ended. */
export interface Aftermath {
  readonly removed: readonly MovedAway[];
  /** Further sentences for people and the model. */
  readonly notes: readonly string[];
}

/** How a workspace is watched while a command runs. */
export interface CommandWatch {
  /** The confinement to run the command in: files that fit patterns of rules are listed in it as places. */
  readonly confinement: Confinement;
  /**
   * Call this when the command and every process it started have ended. Moves away new files of the workspace that
   * would configure the agent or that other programs would run, and reports these files.
   */
  settle(): Aftermath;
}

/**
 * Runs commands where they see the system, the workspace and nothing else: no network, no other files, no other
 * processes.
 */
export interface Sandbox {
  readonly kind: SandboxKind;
  /**
   * The argv that runs `argv` in the sandbox. Ignores the patterns in `kept`. Throws PERMISSION_DENIED for a confinement
   * that this kind of sandbox cannot enforce.
   */
  wrap(argv: readonly string[], confinement: Confinement): readonly [string, ...string[]];
  /** To be called before a command runs. */
  guard(confinement: Confinement): CommandWatch;
  /** Where a command in the sandbox finds the worker's socket. */
  busSocket(bus: WorkerBus): string;
}
