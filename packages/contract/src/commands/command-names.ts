/**
 * The commands of the interactive session that claw brings along. Plain names, so that a command line can be told what
 * it meant without loading a command.
 */
export const COMMAND_NAMES = [
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

export type CommandName = (typeof COMMAND_NAMES)[number];
