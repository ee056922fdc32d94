/** What the bench asks of a process that plays workers. */
export type Ask =
  | { readonly do: "join"; readonly count: number }
  | { readonly do: "count" }
  /** Ends the heartbeats. Answered when all are acknowledged. */
  | { readonly do: "stop" };

/** The answer to each of them. */
export interface Counts {
  readonly sent: number;
  readonly acknowledged: number;
  /** The first refusal, as the daemon wrote it. */
  readonly refused: string | null;
  /** How late the latest heartbeat was sent, in milliseconds: whether the playing process keeps up. */
  readonly latestMs: number;
}
