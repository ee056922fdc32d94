/**
 * The slash commands that claw brings along. Names only: the command line suggests a slash command without loading its
 * code.
 */
export const SLASH_COMMAND_NAMES = [
  "add-dir",
  "clear",
  "compact",
  "config",
  "cost",
  "diff",
  "doctor",
  "exit",
  "export",
  "help",
  "history",
  "init",
  "mcp",
  "memory",
  "model",
  "permissions",
  "resume",
  "sessions",
  "skills",
  "status",
  "todos",
  "tools",
  "version",
] as const;

export type SlashCommandName = (typeof SLASH_COMMAND_NAMES)[number];
