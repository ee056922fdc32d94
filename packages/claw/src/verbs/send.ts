import { giveCommand, showOutcome } from "./give-command.ts";
import { handle } from "./handle.ts";
import { readPromptText } from "./read-prompt.ts";

export const handler = handle("send", {
  run: async ({ worker, text, wait, dryRun }, ports) => {
    const data = { text: await readPromptText(text, ports), paste: true };
    return giveCommand({ id: worker, action: "inject_text", data, wait, dryRun }, ports);
  },
  show: showOutcome,
});
