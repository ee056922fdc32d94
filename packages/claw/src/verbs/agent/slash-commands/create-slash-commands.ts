import type { SlashCommandName } from "claw-contract";
import { addDir } from "./built-in/add-dir.ts";
import { clear } from "./built-in/clear.ts";
import type { SlashCommand, SkillEntry } from "./command.ts";
import { compact } from "./built-in/compact.ts";
import { configCommand } from "./built-in/config.ts";
import { cost } from "./built-in/cost.ts";
import { diffCommand } from "./built-in/diff.ts";
import { doctorCommand } from "./built-in/doctor.ts";
import { exit } from "./built-in/exit.ts";
import { exportCommand } from "./built-in/export.ts";
import { helpCommand } from "./built-in/help.ts";
import { history } from "./built-in/history.ts";
import { initCommand } from "./built-in/init.ts";
import { mcp } from "./built-in/mcp.ts";
import { memory } from "./built-in/memory.ts";
import { model } from "./built-in/model.ts";
import { permissions } from "./built-in/permissions.ts";
import { resumeCommand } from "./built-in/resume.ts";
import { sessions } from "./built-in/sessions.ts";
import { skillCommand } from "./skill-command.ts";
import { skills } from "./built-in/skills.ts";
import { statusCommand } from "./built-in/status.ts";
import { todos } from "./built-in/todos.ts";
import { tools } from "./built-in/tools.ts";
import { versionCommand } from "./built-in/version.ts";

const BUILTINS: Readonly<Record<SlashCommandName, SlashCommand>> = {
  "add-dir": addDir,
  clear,
  compact,
  config: configCommand,
  cost,
  diff: diffCommand,
  doctor: doctorCommand,
  exit,
  export: exportCommand,
  help: helpCommand,
  history,
  init: initCommand,
  mcp,
  memory,
  model,
  permissions,
  resume: resumeCommand,
  sessions,
  skills,
  status: statusCommand,
  todos,
  tools,
  version: versionCommand,
};

/** All slash commands by name: claw's own, and skills whose names are still free. Each name occurs once. */
export function createSlashCommands(found: readonly SkillEntry[]): readonly SlashCommand[] {
  const commands = new Map<string, SlashCommand>(Object.entries(BUILTINS));
  for (const skill of found) {
    if (!commands.has(skill.name.toLowerCase())) commands.set(skill.name.toLowerCase(), skillCommand(skill));
  }
  return [...commands.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
