import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

const Sequence = Count.describe("Sequence of an event.");

export const busMigrate = defineVerb({
  name: "bus migrate",
  group: "bus",
  summary: "Move the log of this folder into a stream of NATS JetStream, or back.",
  input: z.object({
    to: z
      .enum(["stream", "folder", "old-log"])
      .describe(
        "With stream, copy the log of this folder into the stream of the cluster; with folder, the stream into this folder; with old-log, go on with the log that this folder had before, without the newer events of the cluster.",
      ),
    bus: z
      .string()
      .optional()
      .describe(
        "The servers of NATS: nats://host:port, further hosts after commas, tls:// for TLS; before CLAW_BUS and the settings.",
      ),
    cluster: z.string().optional().describe("Name of the cluster, as claw up --cluster has it; default by default."),
    machine: z
      .string()
      .optional()
      .describe("Name of this machine in the cluster; the first part of its host name by default."),
    busCredentials: z
      .string()
      .optional()
      .describe("File with the NKEY seed or the credentials of this machine; before CLAW_BUS_CREDENTIALS."),
    busCa: z.string().optional().describe("The certificate authority of the servers, a PEM file."),
    busCert: z.string().optional().describe("Certificate of this machine, a PEM file."),
    busKey: z.string().optional().describe("Key of that certificate, a PEM file."),
    busReplicas: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe("Servers that keep each event of a new stream, 1 by default. An existing stream must have as many."),
  }),
  output: z.object({
    to: z.enum(["stream", "folder", "old-log"]),
    cluster: z.string().nullable().describe("Null with --to old-log."),
    events: Count.describe("Events of the log."),
    first: Sequence,
    last: Sequence,
    copied: Count.describe("Events that this call copied; the others were there already."),
    holes: Count.describe("Events that the log could not read any more; each has a system.log.hole in its place."),
    sha256: z.string().nullable().describe("Digest of all events, the same on both sides; null in a dry run."),
    epoch: z.string().nullable().describe("Epoch of the log from now on; null in a dry run."),
    cursors: z
      .enum(["continue", "gap"])
      .nullable()
      .describe("continue: a cursor of the log goes on at the same event. gap: its reader is told of a gap."),
    kept: z.string().describe("Absolute path of the log that this folder had. Nothing of it is removed."),
    ...changeFields,
  }),
  stream: z.object({
    type: z.literal("progress"),
    step: z.enum(["read", "copy", "verify"]),
    done: Count.describe("Sequence that the step has reached."),
    last: Count.describe("Sequence at which the step is done."),
  }),
  errors: [
    "CLUSTER_RUNNING",
    "DAEMON_RUNNING",
    "FORMAT_UNSUPPORTED",
    "LOG_NOT_FOUND",
    "LOG_MOVED",
    "MACHINE_NAME_TAKEN",
    "MIGRATION_MISMATCH",
    "MIGRATION_TARGET_USED",
    "MIGRATION_UNFINISHED",
    "NATS_REFUSED",
    "NATS_STREAM_UNFIT",
    "NATS_UNREACHABLE",
  ],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [
    {
      description: "See what would be copied into the cluster",
      command: "claw bus migrate --to stream --bus nats://localhost --cluster team --dry-run",
    },
    {
      description: "Into the cluster; then start the daemon with the same flags: claw up --bus …",
      command: "claw bus migrate --to stream --bus nats://localhost --cluster team",
    },
    {
      description: "Back into this folder, with all events of the cluster",
      command: "claw bus migrate --to folder --bus nats://localhost --cluster team",
    },
    { description: "Back to the old log, when the servers are lost", command: "claw bus migrate --to old-log" },
  ],
});
