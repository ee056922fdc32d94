/** A question of another machine's daemon. */
export interface Asked {
  /** The machine whose daemon asks. */
  readonly from: string;
  readonly question: string;
  /** Aborted when the asking daemon does not wait any more. */
  readonly signal: AbortSignal;
}

/** Answers questions of other machines. May reject: then the asking daemon gets MACHINE_AWAY. */
export type Answer = (asked: Asked) => Promise<string>;

/** Questions between the daemons of a cluster. Only daemons ask and answer. */
export interface Router {
  /** The name of this machine. */
  readonly machine: string;
  /**
   * Asks the daemon of a machine, and resolves with its answer. An answer may take any time as long as the machine gives
   * signs of life. Rejects with MACHINE_AWAY when the machine gives none, when its daemon was started anew meanwhile, or
   * when one of both texts is too large; with NATS_UNREACHABLE while NATS is away; with the signal's reason. After a
   * rejection, the other daemon may have done what it was asked for.
   */
  ask(machine: string, question: string, signal?: AbortSignal): Promise<string>;
  /** Sets the function that answers. Until then, this machine counts as away. */
  serve(answer: Answer): void;
}
