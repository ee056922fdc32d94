import * as z from "zod";
import { CLOSE_ORIGINS } from "../terminals/close-origin.ts";
import { ExecutedCommand, TerminalFact } from "../terminals/terminal-fact.ts";
import { HostedTerminalRequest, TerminalScreen, Terminal } from "../terminals/terminal.ts";

interface HostOperationDefinition<Request extends z.ZodObject, Reply extends z.ZodObject> {
  /** What the terminal host does for the operation, in one sentence. */
  readonly summary: string;
  readonly request: Request;
  readonly reply: Reply;
}

const operation = <Request extends z.ZodRawShape, Reply extends z.ZodRawShape>(
  summary: string,
  request: Request,
  reply: Reply,
): HostOperationDefinition<z.ZodObject<Request>, z.ZodObject<Reply>> => ({
  summary,
  request: z.object(request),
  reply: z.object(reply),
});

const versions = z
  .object({ oldest: z.int(), newest: z.int() })
  .describe("Versions of the protocol that the client speaks; version 1 when absent.");
const terminalId = z.string().describe("Id of the terminal.");
const offset = z.int().min(0).describe("Position in the output, in bytes since the terminal began.");
const bytes = z.string().describe("Bytes as base64.");

/** What clients may ask of the terminal host, by `cmd`. */
export const HOST_OPERATIONS = {
  hello: operation(
    "Show the host's token and agree on a version of the protocol. The first request of every connection.",
    { token: z.string(), versions: versions.optional() },
    { version: z.int().optional().describe("Version that both sides speak from now on; 1 when absent.") },
  ),
  list: operation("List the terminals that the host knows.", {}, { terminals: z.array(Terminal).readonly() }),
  create: operation(
    "Open a terminal. The reply comes when its program runs.",
    { terminal: HostedTerminalRequest },
    { terminal: Terminal },
  ),
  write: operation("Type bytes as they are.", { terminalId, data: bytes }, {}),
  type: operation(
    "Type a text.",
    {
      terminalId,
      text: z.string(),
      paste: z.boolean().default(false).describe("Whether to type the text as one bracketed paste."),
      enter: z.boolean().default(false).describe("Whether to type Enter after the text."),
    },
    {},
  ),
  resize: operation(
    "Change the size of a terminal. A size that no terminal can have is brought into range.",
    { terminalId, cols: z.int(), rows: z.int() },
    {},
  ),
  close: operation(
    "End all programs in a terminal. The reply comes when the terminal is closed.",
    { terminalId, origin: z.enum(CLOSE_ORIGINS) },
    { closed: z.boolean().describe("Whether this request closed the terminal.") },
  ),
  read: operation(
    "Read output; without an offset, the last bytes.",
    { terminalId, offset: offset.optional(), limit: z.int().min(0).optional().describe("Most bytes to read.") },
    { data: bytes, offset, total: offset.describe("Number of output bytes since the terminal began.") },
  ),
  offset: operation("Tell the number of output bytes since the terminal began.", { terminalId }, { offset }),
  screen: operation("Show a terminal's screen.", { terminalId }, { screen: TerminalScreen }),
  wait: operation("Wait for output past an offset.", { terminalId, from: offset }, { offset }),
  exec: operation(
    "Run a command line in the terminal's shell, and wait for its end.",
    { terminalId, command: z.string() },
    { ran: ExecutedCommand },
  ),
  attach: operation(
    "Push the terminal's output from an offset on; without an offset, from a drawing of its present screen on.",
    { terminalId, from: offset.optional() },
    {
      terminal: Terminal,
      screen: z.string().nullable().describe("Sequences that draw the present screen; null when `from` is given."),
    },
  ),
  detach: operation("Push no more output of the terminal.", { terminalId }, {}),
  follow: operation("Push the facts that no daemon has stored, then each new fact.", {}, {}),
  settle: operation(
    "Forget a terminal's facts up to a number: the daemon has stored them.",
    { terminalId, number: z.int().min(0) },
    {},
  ),
} as const;

/** A frame that the host sends without a request. */
export const HOST_PUSH = z.union([
  z.object({ push: z.literal("output"), terminalId, offset, data: bytes }),
  z
    .object({
      push: z.literal("ended"),
      terminalId,
      exitCode: z.int().nullable(),
      signal: z.int().nullable(),
    })
    .describe("All output of a closed terminal was sent."),
  z.object({ push: z.literal("fact"), fact: TerminalFact }),
]);
