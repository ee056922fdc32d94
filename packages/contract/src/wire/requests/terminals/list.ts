import * as z from "zod";
import { defineRequest, loose, Word } from "../../define-request.ts";

/** A terminal in the form that all versions of clients read. */
const ListedTerminal = z.object({
  id: z.string(),
  name: z.string(),
  pid: z.int().describe("Process id of the shell or program in the terminal."),
  ptyPid: z.int(),
  shellPid: z.int(),
  ptyMode: z.literal("pty"),
  hasShellIntegration: z.boolean().describe("Whether the shell says where commands begin and end."),
  active: z.literal(false),
  logPath: z.null(),
  wrapped: z.literal(true),
  status: z.literal("adopted"),
  vehicleState: z.string().optional().describe("State as `vehicle.<id>.state` says."),
  cols: z.int(),
  rows: z.int(),
  cwd: z.string(),
  argv: z.array(z.string()),
  openedAt: z.string().describe("ISO time."),
  correlation_id: z.string().nullable(),
  workerId: z.string().nullable().describe("Worker for which the terminal was opened."),
  waveId: z.string().nullable(),
  waveRole: z.string().nullable(),
  machine: z.string().optional().describe("Machine of the terminal; absent without a cluster."),
});

export const listTerminalsRequest = defineRequest({
  name: "list",
  summary: "Lists the open terminals of a machine.",
  from: "any client",
  effect: "guarded read",
  routedBy: { names: "daemon", field: "on" },
  request: z.object({
    on: loose(Word).describe("Machine of the cluster; without it, the machine of the daemon that is asked."),
  }),
  reply: z.object({ terminals: z.array(ListedTerminal) }),
});
