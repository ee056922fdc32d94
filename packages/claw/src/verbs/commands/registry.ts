import type { CommandName } from "@claw/contract";
import { addDir } from "./add-dir.ts";
import { clear } from "./clear.ts";
import type { Command, SkillEntry } from "./command.ts";
import { compact } from "./compact.ts";
import { config } from "./config.ts";
import { cost } from "./cost.ts";
import { diff } from "./diff.ts";
import { doctor } from "./doctor.ts";
import { exit } from "./exit.ts";
import { exportSession } from "./export.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { init } from "./init.ts";
import { mcp } from "./mcp.ts";
import { memory } from "./memory.ts";
import { model } from "./model.ts";
import { permissions } from "./permissions.ts";
import { resume } from "./resume.ts";
import { sessions } from "./sessions.ts";
import { skillCommand } from "./skill-command.ts";
import { skills } from "./skills.ts";
import { status } from "./status.ts";
import { todos } from "./todos.ts";
import { tools } from "./tools.ts";
import { version } from "./version.ts";

const BUILTINS: Readonly<Record<CommandName, Command>> = {
  "add-dir": addDir,
  clear,
  compact,
  config,
  cost,
  diff,
  doctor,
  exit,
  export: exportSession,
  help,
  history,
  init,
  mcp,
  memory,
  model,
  permissions,
  resume,
  sessions,
  skills,
  status,
  todos,
  tools,
  version,
};

/** All slash commands by name: claw's own, and skills whose names are still free. Each name occurs once. */
export function createCommands(found: readonly SkillEntry[]): readonly Command[] {
  const commands = new Map<string, Command>(Object.entries(BUILTINS));
  for (const skill of found) {
    if (!commands.has(skill.name.toLowerCase())) commands.set(skill.name.toLowerCase(), skillCommand(skill));
  }
  return [...commands.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
