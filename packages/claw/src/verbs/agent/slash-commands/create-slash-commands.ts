import type { SlashCommandName } from "claw-contract";
import { addDir } from "./built-in/workspace/add-dir.ts";
import { clear } from "./built-in/session/clear.ts";
import type { SlashCommand, SkillEntry } from "./command.ts";
import { compact } from "./built-in/session/compact.ts";
import { configCommand } from "./built-in/workspace/config.ts";
import { cost } from "./built-in/session/cost.ts";
import { diffCommand } from "./built-in/workspace/diff.ts";
import { doctorCommand } from "./built-in/workspace/doctor.ts";
import { exit } from "./built-in/session/exit.ts";
import { exportCommand } from "./built-in/session/export.ts";
import { helpCommand } from "./built-in/workspace/help.ts";
import { history } from "./built-in/session/history.ts";
import { initCommand } from "./built-in/workspace/init.ts";
import { mcp } from "./built-in/agent/mcp.ts";
import { memory } from "./built-in/agent/memory.ts";
import { model } from "./built-in/agent/model.ts";
import { permissions } from "./built-in/agent/permissions.ts";
import { resumeCommand } from "./built-in/session/resume.ts";
import { sessions } from "./built-in/session/sessions.ts";
import { skills } from "./built-in/agent/skills.ts";
import { statusCommand } from "./built-in/workspace/status.ts";
import { todos } from "./built-in/agent/todos.ts";
import { tools } from "./built-in/agent/tools.ts";
import { versionCommand } from "./built-in/workspace/version.ts";
import { declined, said } from "./command.ts";

/** A skill as a command: in a session, the agent is asked to use it. */
const skillCommand = ({ name, description, path }: SkillEntry): SlashCommand => ({
  name,
  responsibility: description,
  usage: "[TASK]",
  sourceHint: path,
  kind: "skill",
  interactiveOnly: true,
  run: async (words, { session }) => {
    if (session === null) {
      return declined(`A skill is used by the agent in a session; its instructions are in ${path}.`);
    }
    session.submit(`Use the skill "${name}"${words === "" ? "." : ` for this: ${words}`}`);
    return said(`The agent is asked to use ${name}.`);
  },
});

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
