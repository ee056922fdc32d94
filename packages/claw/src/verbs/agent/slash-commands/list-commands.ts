import type { VerbOutput } from "@claw/contract";
import type { SlashCommand } from "./command.ts";
import { createSlashCommands } from "./registry.ts";
import { findWorkspaceSkills } from "./find-skills.ts";
import type { Ports } from "../../runtime/handle.ts";

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
