import * as z from "zod";
import { Count, Timestamp } from "../verb/output-parts.ts";

/** A machine of the cluster, as its daemon reports it. */
export const MachineFields = z.object({
  name: z.string(),
  here: z.boolean().describe("Whether it is the machine of the daemon that answers."),
  up: z.boolean().describe("Whether its daemon was heard in the last 15 seconds."),
  version: z.string().describe("Version of its daemon."),
  running: Count.describe("Workers that run there."),
  slots: Count.describe("Workers that may run there at once."),
  last_seen: Timestamp.describe("When its daemon was heard last."),
  started_at: Timestamp.describe("When its daemon started, by the clock of that machine."),
});
