import type { WorkerBus } from "./worker-bus.ts";

/** How one command is confined. */
export interface Confinement {
  /** Where it runs; absolute and free of links. */
  readonly cwd: string;
  /** Whether it may change the workspace. */
  readonly writable: boolean;
  /** The worker's socket that is shown to it. */
  readonly bus?: WorkerBus;
  /** What of the workspace it may not see, or not change. */
  readonly kept?: KeptFiles;
  /** A git folder of its own, instead of the one that the workspace really has. */
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

/** What rules keep from commands. Places are absolute and free of links. */
export interface KeptFiles {
  readonly hidden: readonly string[];
  readonly fixed: readonly string[];
  /** Tell which further files are kept, by patterns; undefined where there are no patterns. */
  readonly hides?: ((path: string) => boolean) | undefined;
  readonly fixes?: ((path: string) => boolean) | undefined;
}

/** Something that was found changed behind a command, and put right. */
export interface Removal {
  readonly path: string;
  /** Where it was moved to; null when it could not be moved. */
  readonly movedTo: string | null;
}

/** What was found when a command had ended. */
export interface Aftermath {
  readonly removed: readonly Removal[];
  /** What people and the model should know besides, in sentences. */
  readonly notes: readonly string[];
}

/** How a workspace is watched while a command runs. */
export interface Watch {
  /** The confinement to run the command in: files that fit patterns of rules are listed in it as places. */
  readonly confinement: Confinement;
  /**
   * To be called when the command has ended, with all it started. Moves away what appeared in the workspace and would
   * decide over the agent or be run by others, and says so.
   */
  settle(): Aftermath;
}

/**
 * Runs commands where they see the system, the workspace and nothing else: no network, no other files, no other
 * processes.
 */
export interface Sandbox {
  readonly kind: "bubblewrap";
  /** The argv that runs another one inside. Patterns are not looked at. */
  wrap(argv: readonly string[], confinement: Confinement): readonly [string, ...string[]];
  /** To be called before a command runs. */
  guard(confinement: Confinement): Watch;
}
