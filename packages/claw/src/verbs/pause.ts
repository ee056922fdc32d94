import { giveCommand, showOutcome } from "./give-command.ts";
import { handle } from "./handle.ts";

export const handler = handle("pause", {
  run: ({ id, wait, dryRun }, ports) => giveCommand({ id, action: "pause", data: {}, wait, dryRun }, ports),
  show: showOutcome,
});
