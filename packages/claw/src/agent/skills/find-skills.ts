import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { projectFolders } from "../context/project-folders.ts";
import type { SkillPlace } from "./read-skill.ts";
import { readSkill } from "./read-skill.ts";

/** Instructions for one kind of work. Each skill has a separate folder. */
export interface Skill extends SkillPlace {
  readonly name: string;
  readonly description: string;
  readonly source: "project" | "user";
}

export interface FoundSkills {
  /** By name. */
  readonly skills: readonly Skill[];
  /** Sentences for people about what was left out. */
  readonly problems: readonly string[];
}

export interface SkillPlaces {
  readonly cwd: string;
  /** Folder of the user's own settings; null when the user has no home. */
  readonly configHome: string | null;
}

interface SkillFolder {
  readonly folder: string;
  readonly source: Skill["source"];
  /**
   * Folder that must hold the skill's files after links are resolved; null for the user's skills, which may be
   * anywhere.
   */
  readonly within: string | null;
}

/** Strongest first: the working folder, its project, the user. */
function placesOf({ cwd, configHome }: SkillPlaces): SkillFolder[] {
  const folders = projectFolders(cwd);
  const [root] = folders;
  // The agent itself may have made links in the working folder. No link may show a file that the agent may not read.
  const project = [...new Set([folders.at(-1) ?? root, root])].flatMap((folder) =>
    [".claw/skills", ".claude/skills"].map((name) => ({ folder: join(folder, name), within: folder })),
  );
  return [
    ...project.map((place) => ({ ...place, source: "project" as const })),
    ...(configHome === null ? [] : [{ folder: join(configHome, "skills"), source: "user" as const, within: null }]),
  ];
}

function skillNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, LIMITS.skillFolders);
  } catch {
    // No such folder, or none this user may look into.
    return [];
  }
}

/** Whether a name fits into a tool call and on one line. */
const isName = (name: string): boolean => /^[A-Za-z0-9][\w.:-]{0,63}$/.test(name);

interface Look {
  readonly skill: Skill | null;
  readonly problem: string | null;
  readonly headChars: number;
}

async function lookForSkill({ folder, source, within }: SkillFolder, entry: string, maxChars: number): Promise<Look> {
  const path = join(folder, entry, "SKILL.md");
  const reading = await readSkill({ path, within }, maxChars);
  if (reading === null) return { skill: null, problem: null, headChars: 0 };
  const leftOut = (why: string, headChars: number): Look => {
    return { skill: null, problem: `${path} is left out: ${why}`, headChars };
  };
  if ("problem" in reading) return leftOut(reading.problem, 0);
  const name = reading.name !== null && isName(reading.name) ? reading.name : entry;
  const { description, headChars, headProblem } = reading;
  if (!isName(name)) return leftOut("its name is no name for a skill", headChars);
  const problem = headProblem === null ? null : `the front matter of ${path} is no YAML: ${headProblem}`;
  return { skill: { name, description, path, source, within }, problem, headChars };
}

/**
 * Finds the skills of a project and of the user. Of several with one name, in any case, the one nearest to the working
 * folder counts. Never rejects.
 */
export async function findSkills(places: SkillPlaces): Promise<FoundSkills> {
  const found = new Map<string, Skill>();
  const problems: string[] = [];
  let left: number = LIMITS.skillHeadsChars;
  for (const place of placesOf(places)) {
    for (const entry of skillNames(place.folder)) {
      const { skill, problem, headChars } = await lookForSkill(place, entry, Math.min(left, LIMITS.skillHeadChars));
      left = Math.max(0, left - headChars);
      if (problem !== null) problems.push(problem);
      if (skill === null) continue;
      if (found.has(skill.name.toLowerCase())) continue;
      else if (found.size < LIMITS.skills) found.set(skill.name.toLowerCase(), skill);
      else problems.push(`${skill.path} is left out: there are ${LIMITS.skills} skills already`);
    }
  }
  return { skills: [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1)), problems };
}
