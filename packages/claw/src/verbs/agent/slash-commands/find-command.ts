import { ClawError, LIMITS, nearest } from "claw-contract";
import type { SlashCommand } from "./command.ts";

/** The command of a name, in any case and with or without its slash. */
export function findCommand(commands: readonly SlashCommand[], name: string): SlashCommand | undefined {
  const wanted = name.replace(/^\//, "").toLowerCase();
  return commands.find((command) => command.name.toLowerCase() === wanted);
}

/** The command of a name. Throws COMMAND_NOT_FOUND, which names those that are meant most likely. */
export function requireCommand(commands: readonly SlashCommand[], name: string): SlashCommand {
  const command = findCommand(commands, name);
  if (command !== undefined) return command;
  const target = name.slice(0, 200);
  const known = commands.map((candidate) => candidate.name);
  const suggestions = nearest(name.replace(/^\//, ""), known, { limit: LIMITS.suggestions });
  throw new ClawError("COMMAND_NOT_FOUND", `there is no command '${target}'`, {
    operation: "find_command",
    target,
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(" or ")}?` }),
    details: { suggestions },
  });
}
