import { pairs } from "../text-layout.ts";
import type { Command } from "./command.ts";
import { defineCommand, said } from "./command.ts";
import { requireCommand } from "./find-command.ts";

const typed = ({ name, usage }: Command): string => `/${name}${usage === "" ? "" : ` ${usage}`}`;

export const help = defineCommand({
  name: "help",
  responsibility: "Lists every command, or explains one.",
  usage: "[COMMAND]",
  run: async (words, { commands, paint }) => {
    const shown = words === "" ? commands : [requireCommand(commands, words)];
    const rows = shown.map((command): [string, string] => [typed(command), command.responsibility]);
    return said(pairs(rows, paint));
  },
});
