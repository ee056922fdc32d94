import { giveCommand, showOutcome } from "./give-command.ts";
import { handle } from "./handle.ts";

export const handler = handle("resume", {
  run: ({ id, wait, dryRun }, ports) => giveCommand({ id, action: "resume", data: {}, wait, dryRun }, ports),
  show: showOutcome,
});
