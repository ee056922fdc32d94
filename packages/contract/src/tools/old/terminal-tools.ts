import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import { pollHistoryRequest } from "../../wire/requests/terminals/poll.ts";
import { listTerminalsRequest } from "../../wire/requests/terminals/list.ts";
import { closeTerminalRequest } from "../../wire/requests/terminals/close.ts";

const TerminalId = z.union([z.string().min(1), z.int()]).describe("Id of the terminal, or of a worker.");

export const OldSpawned = z.looseObject({
  ok: z.boolean(),
  terminal_id: z.string().nullable(),
  name: z.string(),
  correlation_id: z.string(),
});

export const TERMINAL_TOOLS = {
  claws_list: defineTool({
    name: "claws_list",
    title: "List terminals",
    description: "List the open terminals.",
    input: z.object({}),
    output: listTerminalsRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_create: defineTool({
    name: "claws_create",
    title: "Open a terminal",
    description: "Open a terminal with a shell. Everything that it prints is kept.",
    input: z.object({
      name: z.string().min(1),
      cwd: z.string().optional(),
      wrapped: z.boolean().optional().describe("Ignored: every terminal is recorded."),
    }),
    output: OldSpawned.extend({
      monitor_arm_required: z.literal(false),
      monitor_arm_command: z.string(),
      events_log_path: z.string(),
    }),
    effect: { leads: true },
  }),
  claws_exec: defineTool({
    name: "claws_exec",
    title: "Run a command in a terminal",
    description: "Run a command in the shell of a terminal, and wait for its end.",
    input: z.object({ id: TerminalId, command: z.string().min(1), timeout_ms: z.number().positive().optional() }),
    output: z.looseObject({ ok: z.boolean(), exit_code: z.number().nullable(), output: z.string() }),
    effect: { leads: true, destroys: true },
  }),
  claws_read_log: defineTool({
    name: "claws_read_log",
    title: "Read a terminal",
    description: "Read the last lines of a terminal or of a worker's log.",
    input: z.object({ id: TerminalId, lines: z.int().min(1).max(2000).optional() }),
    output: z.object({ id: z.string(), text: z.string(), next_offset: z.number() }),
    effect: { reads: true, repeatable: true },
  }),
  claws_poll: defineTool({
    name: "claws_poll",
    title: "List command lines",
    description: "List the command lines that ran in the shells of terminals.",
    input: z.object({ since: z.number().optional() }),
    output: pollHistoryRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_close: defineTool({
    name: "claws_close",
    title: "Close a terminal",
    description: "Close a terminal and end what runs in it.",
    input: z.object({ id: TerminalId }),
    output: closeTerminalRequest.reply,
    effect: { leads: true, destroys: true, repeatable: true },
  }),
} as const;
