import { giveCommand } from "./give-command.ts";
import { handle } from "../../runtime/handle.ts";
import { readPromptText } from "../../agent/read-prompt.ts";
import { showSent } from "./show-outcome.ts";

export const handler = handle("send", {
  run: async ({ worker, text, wait, dryRun }, ports) => {
    const data = { text: await readPromptText(text, ports), paste: true };
    return giveCommand({ id: worker, action: "inject_text", data, wait: wait ?? "taken", dryRun }, ports);
  },
  show: showSent,
});
