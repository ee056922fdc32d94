import { ClawError, LIMITS } from "claw-contract";
import type { JetStreamManager, StreamConfig, StreamInfo } from "@nats-io/jetstream";
import { JetStreamApiError } from "@nats-io/jetstream";
import { natsError } from "../connection/nats-errors.ts";
import { createSubjects, streamName } from "./subjects.ts";

/** Limits of a new stream. An existing stream keeps its own. */
export interface StreamLimits {
  readonly bytes?: number;
  readonly ageMs?: number;
  readonly replicas?: number;
  /** Sequence of the first event. Servers before 2.10 begin at 1 all the same. */
  readonly first?: number;
}

const NANOS = 1_000_000;

/**
 * How long the servers themselves recognise a message that is sent again. Older ones are recognised by the daemons, which
 * remember the newest `LIMITS.dedupeEntries` ids of all machines: a daemon that was away publishes nothing before its
 * feed has caught up.
 */
export const DEDUPE_WINDOW_MS = 2 * 60_000;

const NOT_FOUND = 10_059;
const NAME_IN_USE = 10_058;

const wanted = (
  cluster: string,
  { bytes, ageMs, replicas, first = 1 }: StreamLimits,
): Partial<StreamConfig> & { name: string } => ({
  name: streamName(cluster),
  subjects: [createSubjects(cluster).all],
  description: `the event log of the claw cluster ${cluster}`,
  retention: "limits",
  storage: "file",
  discard: "old",
  max_bytes: bytes ?? LIMITS.logBytes,
  max_age: (ageMs ?? LIMITS.logMs) * NANOS,
  max_msgs: -1,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  num_replicas: replicas ?? 1,
  duplicate_window: DEDUPE_WINDOW_MS * NANOS,
  allow_direct: true,
  deny_delete: true,
  deny_purge: true,
  ...(first > 1 ? { first_seq: first } : {}),
});

/** Settings of a stream that the log's promises need: the field, a check of the value, the needed value in words. */
const PROMISES: readonly {
  readonly field: keyof StreamConfig;
  readonly holds: (config: StreamConfig, want: Partial<StreamConfig>) => boolean;
  readonly need: string;
}[] = [
  {
    field: "subjects",
    holds: ({ subjects }, want) => String(subjects) === String(want.subjects),
    need: "the subjects of the cluster alone",
  },
  { field: "retention", holds: ({ retention }) => retention === "limits", need: "limits" },
  { field: "storage", holds: ({ storage }) => storage === "file", need: "file" },
  { field: "discard", holds: ({ discard }) => discard === "old", need: "old" },
  { field: "max_msgs_per_subject", holds: ({ max_msgs_per_subject: most }) => most <= 0, need: "no limit" },
  { field: "no_ack", holds: ({ no_ack: silent }) => silent !== true, need: "false" },
  { field: "sealed", holds: ({ sealed }) => !sealed, need: "false" },
  { field: "deny_delete", holds: ({ deny_delete: denied }) => denied, need: "true" },
  { field: "deny_purge", holds: ({ deny_purge: denied }) => denied, need: "true" },
  { field: "allow_direct", holds: ({ allow_direct: allowed }) => allowed, need: "true" },
  { field: "mirror", holds: ({ mirror }) => mirror === undefined, need: "none" },
  { field: "sources", holds: ({ sources = [] }) => sources.length === 0, need: "none" },
  { field: "subject_transform", holds: ({ subject_transform: transform }) => transform === undefined, need: "none" },
  {
    field: "duplicate_window",
    holds: ({ duplicate_window: nanos }) => nanos >= DEDUPE_WINDOW_MS * NANOS,
    need: `at least ${DEDUPE_WINDOW_MS / 1000} s`,
  },
  {
    field: "num_replicas",
    holds: ({ num_replicas: replicas }, { num_replicas: least = 1 }) => replicas >= least,
    need: "as many as asked for",
  },
];

/** Throws NATS_STREAM_UNFIT, which names the field, when a stream cannot keep the log's promises. */
export function requireFit(config: StreamConfig, want: Partial<StreamConfig>): void {
  const broken = PROMISES.find(({ holds }) => !holds(config, want));
  if (broken === undefined) return;
  const { field, need } = broken;
  const value = JSON.stringify(config[field] ?? null);
  throw new ClawError("NATS_STREAM_UNFIT", `the stream ${config.name} has ${field} ${value}; needed: ${need}`, {
    operation: "open_stream",
    target: config.name,
    details: { field },
  });
}

const hasCode = (error: unknown, code: number): boolean => error instanceof JetStreamApiError && error.code === code;

/** Finds the stream of a cluster, or makes it. Rejects with NATS_STREAM_UNFIT and the errors of NATS. */
export async function ensureStream(
  manager: JetStreamManager,
  cluster: string,
  limits: StreamLimits = {},
): Promise<StreamInfo> {
  const want = wanted(cluster, limits);
  const found = (): Promise<StreamInfo> => manager.streams.info(want.name);
  try {
    const info = await found().catch((error: unknown) => {
      if (!hasCode(error, NOT_FOUND)) throw error;
      return manager.streams.add(want).catch((refusal: unknown) => {
        // Another daemon made the stream meanwhile.
        if (hasCode(refusal, NAME_IN_USE)) return found();
        throw refusal;
      });
    });
    requireFit(info.config, limits.replicas === undefined ? { ...want, num_replicas: 1 } : want);
    return info;
  } catch (error) {
    throw natsError("open_stream", want.name, error);
  }
}
