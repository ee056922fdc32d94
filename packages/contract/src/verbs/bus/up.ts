import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, ClusterPlace, Count, RunningWorker, Timestamp } from "../../verb/output-parts.ts";

export const up = defineVerb({
  name: "up",
  group: "start",
  rank: 5,
  summary: "Start the daemon of this folder: the event bus and its durable log.",
  input: z.object({
    foreground: z.boolean().default(false).describe("Run the daemon in this terminal instead of the background."),
    socket: z.string().optional().describe("Path of the unix socket; .claws/claws.sock by default."),
    http: z.string().optional().describe("Listen on host:port as well: WebSocket, SSE, HTTP."),
    durability: z
      .enum(["strict", "relaxed"])
      .optional()
      .describe(
        "With strict (the default), an acknowledged event survives a power cut; with relaxed, a crash of claw.",
      ),
    policy: z
      .enum(["strict", "compat"])
      .optional()
      .describe(
        "With strict (the default), clients publish only their own topics; with compat, clients of claws 0.8 work unmodified.",
      ),
    rateLimit: z
      .int()
      .min(0)
      .optional()
      .describe(
        "Events that one peer may publish on one topic in a second, 10000 by default; on all topics together four times as many. 0 means no limit.",
      ),
    requireToken: z.boolean().default(false).describe("Ask for a token on the unix socket too."),
    tlsCert: z.string().optional().describe("Certificate for --http, a PEM file."),
    tlsKey: z.string().optional().describe("Key for --http, a PEM file."),
    insecure: z.boolean().default(false).describe("Let other machines connect without TLS."),
    budgetUsd: z
      .number()
      .min(0)
      .optional()
      .describe("Stop all workers, and refuse commands that cost money, once they have spent this many US dollars."),
    budgetUsdPerDay: z
      .number()
      .min(0)
      .optional()
      .describe("Stop all workers once they have spent this many US dollars together in one day."),
    budgetTokensPerDay: z
      .number()
      .min(0)
      .optional()
      .describe("Stop all workers once they have used this many tokens together in one day."),
    replace: z
      .boolean()
      .default(false)
      .describe(
        "Replace a running daemon of an older version, with the same flags except those given. Workers and terminals go on.",
      ),
    web: z
      .boolean()
      .default(false)
      .describe("Make a link to the page for browsers as well, and open it, as claw dashboard does."),
    noOpen: z.boolean().default(false).describe("With --web: print the link, and open no browser."),
    tee: z.boolean().default(false).describe("Also append every event to .claws/events.jsonl."),
    bus: z
      .string()
      .optional()
      .describe(
        "Keep the log in NATS JetStream, shared with the daemons of other machines: nats://host:port, further hosts after commas, tls:// for TLS; before CLAW_BUS and the settings.",
      ),
    cluster: z.string().optional().describe("With --bus: name of the daemons that share a log; default by default."),
    machine: z
      .string()
      .optional()
      .describe("With --bus: name of this machine in the cluster; the first part of its host name by default."),
    busCredentials: z
      .string()
      .optional()
      .describe("With --bus: file with the NKEY seed or the credentials of this machine; before CLAW_BUS_CREDENTIALS."),
    busCa: z.string().optional().describe("With --bus: the certificate authority of the servers, a PEM file."),
    busCert: z.string().optional().describe("With --bus: certificate of this machine, a PEM file."),
    busKey: z.string().optional().describe("With --bus: key of that certificate, a PEM file."),
    busReplicas: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe("With --bus: servers that keep each event, 1 by default. An existing stream must have as many."),
    leaveLog: z
      .boolean()
      .optional()
      .describe(
        "With --bus: leave the log of this folder without moving it, although the cluster's log has the same epoch. Cursors of the folder's log are void then.",
      ),
  }),
  output: z.object({
    running: z.boolean(),
    pid: Count,
    socket: z.string().describe("Absolute path of the unix socket."),
    http: z.string().nullable().describe("Address of the HTTP server, when there is one."),
    token_file: z.string().nullable().describe("File with a token for an orchestrator, when one is needed."),
    durability: z.enum(["strict", "relaxed"]),
    cluster: ClusterPlace.optional(),
    policy: z.enum(["strict", "compat"]),
    took_over: z
      .object({
        events: Count,
        mission: z.string().nullable().describe("Plan of the mission that goes on; null when there was none."),
        from: z.string().describe("Folder of the old files, which stay as they are."),
      })
      .optional()
      .describe("What this start took over from claws 0.8."),
    version: z.string().describe("Version of claw that the daemon is of."),
    outdated: z.boolean().describe("True when claw up --replace would replace the daemon by a newer version."),
    replaced: z
      .object({
        version: z.string(),
        pid: Count,
        workers: z.array(RunningWorker).describe("Workers that ran at the time, and go on."),
      })
      .optional()
      .describe("The daemon that this call replaced."),
    page_url: z
      .string()
      .nullable()
      .optional()
      .describe("With --web: a link with a one-time code for one browser; null in a repeated answer."),
    page_expires_at: Timestamp.optional().describe("When the link ends."),
    page_opened: z.boolean().optional().describe("Whether a browser was opened."),
    ...changeFields,
  }),
  stream: z.object({
    type: z.literal("listening"),
    pid: Count,
    socket: z.string(),
    http: z.string().nullable(),
    page_url: z.string().optional().describe("With --web: a link with a one-time code for one browser."),
  }),
  errors: [
    "DAEMON_RUNNING",
    "DAEMON_FAILED",
    "DOWNGRADE_REFUSED",
    "FORMAT_UNSUPPORTED",
    "LOG_MOVED",
    "LOG_NOT_MOVED",
    "MACHINE_NAME_TAKEN",
    "MIGRATION_UNFINISHED",
    "NATS_REFUSED",
    "NATS_STREAM_UNFIT",
    "NATS_UNREACHABLE",
    "PROTOCOL_MISMATCH",
  ],
  effect: "write",
  shownOnce: ["page_url"],
  unixOnly: true,
  unlimited: true,
  examples: [
    { description: "In the background", command: "claw up" },
    { description: "After an upgrade of claw", command: "claw up --replace" },
    { description: "With the page for browsers", command: "claw up --web" },
    { description: "For programs that speak HTTP", command: "claw up --http 127.0.0.1:0" },
    {
      description: "Together with other machines",
      command: "claw up --bus nats://127.0.0.1:4222 --cluster team --machine laptop --dry-run",
    },
  ],
});
