import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { NEW_TERMINAL, OpenedTerminal } from "../terminals/create.ts";

const { workerId: _worker, ...fields } = NEW_TERMINAL;

export const openAgentTerminalRequest = defineRequest({
  name: "worker.terminal.open",
  summary: "Opens the terminal of an interactive worker's agent; each life of the worker has only one.",
  from: ["worker"],
  effect: "write",
  request: z.object(fields),
  reply: OpenedTerminal,
});
