import * as z from "zod";
import { defineRequest } from "../../define-request.ts";

const PtySupport = z.object({
  loaded: z.boolean().describe("False where there are no real terminals."),
  loadedFrom: z.string().nullable().describe("Null when no pty library is loaded."),
  error: z.string().optional().describe("Why no pty library could be loaded."),
});

export const introspectRequest = defineRequest({
  name: "introspect",
  summary: "Describes the server: version, platform, terminals, policy, durability, counts, log.",
  from: "any client",
  effect: "read",
  request: z.object({}),
  reply: z.object({
    extensionVersion: z.string().describe("Version of claw."),
    nodeVersion: z.string(),
    electronAbi: z.number().describe("Version of the binary interface of native modules."),
    platform: z.string(),
    nodePty: PtySupport,
    servers: z.array(z.object({ workspace: z.string(), socket: z.string() })),
    terminals: z.int().describe("Number of open terminals."),
    uptime_ms: z.number(),
    protocols: z.array(z.string()),
    capabilities: z.array(z.string()).describe("Additions to the old wire that a hello may ask for."),
    policy: z.enum(["strict", "compat"]),
    durability: z.string().describe("When a stored event survives a crash of the machine."),
    counts: z.object({ peers: z.int(), subscriptions: z.int(), tasks: z.int() }),
    log: z.object({ epoch: z.string(), oldest: z.int(), head: z.int() }).describe("Sequences of the log."),
  }),
});
