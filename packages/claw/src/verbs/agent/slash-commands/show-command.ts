import { requireCommand } from "./find-command.ts";
import { handle } from "../../runtime/handle.ts";
import { describeCommand, listCommands } from "./list-commands.ts";
import { pairs } from "../../text/text-layout.ts";

export const handler = handle("show-command", {
  run: async ({ name }, ports) => {
    const command = requireCommand(await listCommands(ports), name);
    return {
      ...describeCommand(command),
      found: true,
      kind: command.kind,
      usage: [`/${command.name}`, command.usage].join(" ").trim(),
      interactive_only: command.interactiveOnly,
    };
  },
  show: ({ name, responsibility, usage, source_hint, interactive_only }, paint) =>
    pairs(
      [
        ["command", paint.bold(name)],
        ["does", responsibility],
        ["usage", usage],
        ["works", interactive_only ? "in a session only" : `in a session, and as: claw exec-command ${name}`],
        ["source", source_hint],
      ],
      paint,
    ),
});
