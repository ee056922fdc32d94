import * as z from "zod";

const variables = z.record(z.string(), z.string()).readonly();

/** The program and the settings of a new terminal. */
export const TerminalRequest = z.object({
  terminalId: z.string().describe("Never used before in this workspace."),
  name: z.string(),
  cwd: z.string().optional(),
  shellPath: z.string().optional().describe("Path of the shell; the user's shell when absent."),
  argv: z.array(z.string()).readonly().optional().describe("A program instead of a shell."),
  env: variables.optional().describe("Variables added to the environment that every terminal starts with."),
  cols: z.int().optional(),
  rows: z.int().optional(),
  correlationId: z.string().optional(),
  workerId: z.string().optional().describe("Worker for which the terminal is opened."),
});
export type TerminalRequest = Readonly<z.output<typeof TerminalRequest>>;

/** A request for a new terminal as the terminal host gets it. */
export const HostedTerminalRequest = TerminalRequest.extend({ env: variables.describe("The whole environment.") });
export type HostedTerminalRequest = Readonly<z.output<typeof HostedTerminalRequest>>;
