/** How one command is confined. */
export interface Confinement {
  /** Where it runs; absolute and free of links. */
  readonly cwd: string;
  /** Whether it may change the workspace. */
  readonly writable: boolean;
  /** What of the workspace it may not see, or not change; absolute and free of links. */
  readonly kept?: { readonly hidden: readonly string[]; readonly fixed: readonly string[] };
}

/** Something that was found changed behind a command, and put right. */
export interface Removal {
  readonly path: string;
  /** Where it was moved to. */
  readonly movedTo: string;
}

/**
 * Runs commands where they see the system, the workspace and nothing else: no network, no other files, no other
 * processes.
 */
export interface Sandbox {
  readonly kind: "bubblewrap";
  /** The argv that runs another one inside. */
  wrap(argv: readonly string[], confinement: Confinement): readonly [string, ...string[]];
  /**
   * To be called before a command runs. What it returns is called when the command has ended, with all it started: it
   * moves away what appeared in the workspace and would decide over the agent or be run by others, and says so.
   */
  guard(confinement: Confinement): () => readonly Removal[];
}
