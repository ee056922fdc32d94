import { giveCommand, showOutcome } from "./give-command.ts";
import { handle } from "./handle.ts";

export const handler = handle("resume", {
  run: ({ worker, wait, dryRun }, ports) =>
    giveCommand({ id: worker, action: "resume", data: {}, wait, dryRun }, ports),
  show: showOutcome,
});
