import { findSkills as searchSkills } from "../agent/index.ts";
import { configHome } from "../settings/index.ts";
import type { SkillEntry } from "./commands/command.ts";
import type { Ports } from "./handle.ts";

/** The skills that are found for the working folder. */
export const findSkills = ({ cwd, env }: Ports): readonly SkillEntry[] =>
  searchSkills({ cwd, configHome: configHome(env) }).skills;
