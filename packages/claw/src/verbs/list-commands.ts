import type { VerbOutput } from "@claw/contract";
import type { Command } from "./commands/command.ts";
import { createCommands } from "./commands/registry.ts";
import { findSkills } from "./find-skills.ts";
import type { Ports } from "./handle.ts";

/** All slash commands: sessions execute them, and verbs describe them. */
export const listCommands = (ports: Ports): readonly Command[] => createCommands(findSkills(ports));

/** A slash command as answers show it. */
export const describeCommand = ({
  name,
  sourceHint,
  responsibility,
}: Command): VerbOutput<"command-graph">["builtins"][number] => ({ name, source_hint: sourceHint, responsibility });
