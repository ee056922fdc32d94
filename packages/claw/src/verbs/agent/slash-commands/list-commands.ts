import type { VerbOutput } from "claw-contract";
import type { SlashCommand, SkillEntry } from "./command.ts";
import { createSlashCommands } from "./create-slash-commands.ts";
import type { Ports } from "../../runtime/handle.ts";
import { findSkills as searchSkills } from "../../../agent/index.ts";
import { configHome } from "../../../settings/index.ts";

/** The skills that are found for the working folder. */
const findWorkspaceSkills = async ({ cwd, env }: Ports): Promise<readonly SkillEntry[]> =>
  (await searchSkills({ cwd, configHome: configHome(env) })).skills;

/** All slash commands: sessions execute them, and verbs describe them. */
export const listCommands = async (ports: Ports): Promise<readonly SlashCommand[]> =>
  createSlashCommands(await findWorkspaceSkills(ports));

/** A slash command as answers show it. */
export const describeCommand = ({
  name,
  sourceHint,
  responsibility,
}: SlashCommand): VerbOutput<"command-graph">["builtins"][number] => ({
  name,
  source_hint: sourceHint,
  responsibility,
});
