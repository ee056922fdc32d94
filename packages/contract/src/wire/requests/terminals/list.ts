import * as z from "zod";
import { defineRequest } from "../../define-request.ts";

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
});

export const listTerminalsRequest = defineRequest({
  name: "list",
  summary: "Lists the open terminals.",
  from: "any client",
  effect: "guarded read",
  request: z.object({}),
  reply: z.object({ terminals: z.array(ListedTerminal) }),
});
