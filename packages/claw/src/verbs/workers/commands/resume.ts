import { giveCommand } from "./give-command.ts";
import { handle } from "../../runtime/handle.ts";
import { showDone } from "./show-outcome.ts";

export const handler = handle("resume", {
  run: ({ worker, wait, dryRun }, ports) =>
    giveCommand({ id: worker, action: "resume", data: {}, wait, dryRun }, ports),
  show: showDone("Resumed", "resume"),
});
