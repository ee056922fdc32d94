import type { SyncMode } from "../connection/sync-mode.ts";

export interface StreamFacts {
  readonly name: string;
  readonly replicas: number;
  readonly bytes: number;
  /** -1 without a limit. */
  readonly maxBytes: number;
}

/** Facts about the NATS servers of a cluster. */
export interface NatsFacts {
  readonly url: string;
  /** Of the server that the connection leads to. */
  readonly version: string;
  /** Undefined when JetStream is off, or not open to this user. */
  readonly jetStream: { readonly bytes: number; readonly maxBytes: number } | undefined;
  /** The log of the cluster; undefined when there is none yet. */
  readonly stream: StreamFacts | undefined;
  /** Of each server whose monitoring address is known. */
  readonly sync: readonly SyncMode[];
  /** How far the clock of a server is ahead of this machine's; undefined when no server said its time. */
  readonly clockAheadMs: number | undefined;
  /** Whether this user may publish as another machine. */
  readonly actsAsOthers: "refused" | "allowed" | "unknown";
}
