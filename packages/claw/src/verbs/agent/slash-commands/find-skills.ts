import { findSkills as searchSkills } from "../../../agent/index.ts";
import { configHome } from "../../../settings/index.ts";
import type { SkillEntry } from "./command.ts";
import type { Ports } from "../../runtime/handle.ts";

/** The skills that are found for the working folder. */
export const findWorkspaceSkills = async ({ cwd, env }: Ports): Promise<readonly SkillEntry[]> =>
  (await searchSkills({ cwd, configHome: configHome(env) })).skills;
