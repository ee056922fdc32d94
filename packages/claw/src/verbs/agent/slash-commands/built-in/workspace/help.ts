import { pairs } from "../../../../text/text-layout.ts";
import type { SlashCommand } from "../../command.ts";
import { defineCommand, said } from "../../command.ts";
import { requireCommand } from "../../find-command.ts";

const typed = ({ name, usage }: SlashCommand): string => `/${name}${usage === "" ? "" : ` ${usage}`}`;

export const helpCommand = defineCommand({
  name: "help",
  responsibility: "Lists every command, or explains one.",
  usage: "[COMMAND]",
  run: async (words, { commands, paint }) => {
    const shown = words === "" ? commands : [requireCommand(commands, words)];
    const rows = shown.map((command): [string, string] => [typed(command), command.responsibility]);
    return said(pairs(rows, paint));
  },
});
