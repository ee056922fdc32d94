import type { JetStreamManager } from "@nats-io/jetstream";
import type { ClusterConnection } from "../connection/open-connection.ts";
import type { ClusterEpoch } from "./stream-epoch.ts";
import type { Subjects } from "./subjects.ts";

/** A stream that was opened, and what is fixed from then on. */
export interface StreamPlace {
  readonly connection: ClusterConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly epochs: ClusterEpoch;
  readonly epoch: number;
  /** Whether the log went on elsewhere, or is being copied, by `claw bus migrate`. */
  readonly isLeft: () => Promise<boolean>;
  /** When the stream was made, as its servers say. */
  readonly created: string;
  /** Servers that keep each event. */
  readonly replicas: number;
  /** The name of this machine. */
  readonly machine: string;
  /** Writes a line to the daemon's own log. */
  readonly report: (text: string) => void;
}
