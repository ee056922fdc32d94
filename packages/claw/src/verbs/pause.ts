import { giveCommand, showOutcome } from "./give-command.ts";
import { handle } from "./handle.ts";

export const handler = handle("pause", {
  run: ({ worker, wait, dryRun }, ports) => giveCommand({ id: worker, action: "pause", data: {}, wait, dryRun }, ports),
  show: showOutcome,
});
