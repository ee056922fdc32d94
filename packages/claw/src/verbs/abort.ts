import { giveCommand, showOutcome } from "./give-command.ts";
import { handle } from "./handle.ts";

export const handler = handle("abort", {
  run: ({ worker, wait, dryRun, reason }, ports) =>
    giveCommand({ id: worker, action: "abort", data: { reason }, wait, dryRun }, ports),
  show: showOutcome,
});
