import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, judged, loose, WireId, Word } from "../../define-request.ts";
import { WaveId } from "../waves/wave.ts";

const Size = z.int().min(1).max(LIMITS.terminalSize);

/** The fields of a request for a new terminal. */
export const NEW_TERMINAL = {
  name: loose(Word).describe("Name for people."),
  cwd: loose(Word),
  shellPath: loose(Word).describe("Path of the shell; the user's shell by default."),
  argv: judged(z.array(z.string()).describe("A program instead of a shell. Entries that are no text are ignored.")),
  env: judged(
    z.record(z.string(), z.string()).describe("Variables for the program. Values that are no text are ignored."),
  ),
  cols: loose(Size),
  rows: loose(Size),
  correlation_id: loose(Word),
  workerId: loose(WireId).describe("Worker for which the terminal is opened."),
  waveId: loose(WaveId).describe("Wave for which the terminal is opened; by default the wave of the peer."),
  waveRole: loose(WaveId).describe("Part in the wave."),
  wrapped: judged(z.boolean().describe("Ignored: the output of every terminal is kept.")),
};

/** The reply to a request for a new terminal. */
export const OpenedTerminal = z.object({
  id: z.string().describe("Id of the terminal. Takes the place of the request's id."),
  logPath: z.null(),
  wrapped: z.literal(true),
  pid: z.int().describe("Process id of the shell or program."),
});

export const createTerminalRequest = defineRequest({
  name: "create",
  summary: "Opens a terminal. Under the policy `compat`, only while a mission is under way.",
  from: "any client",
  effect: "write",
  request: z.object(NEW_TERMINAL),
  reply: OpenedTerminal,
});
