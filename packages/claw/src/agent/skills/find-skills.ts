import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "@claw/contract";
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

type Look = Skill | { readonly problem: string } | null;

function lookForSkill({ folder, source, within }: SkillFolder, entry: string): Look {
  const path = join(folder, entry, "SKILL.md");
  const reading = readSkill({ path, within });
  if (reading === null) return null;
  if ("problem" in reading) return { problem: `${path} is left out: ${reading.problem}` };
  const name = reading.name !== null && isName(reading.name) ? reading.name : entry;
  return isName(name)
    ? { name, description: reading.description, path, source, within }
    : { problem: `${path} is left out: its name is no name for a skill` };
}

/**
 * Finds the skills of a project and of the user. Of several with one name, in any case, the one nearest to the working
 * folder counts. Never throws.
 */
export function findSkills(places: SkillPlaces): FoundSkills {
  const found = new Map<string, Skill>();
  const problems: string[] = [];
  for (const place of placesOf(places)) {
    for (const entry of skillNames(place.folder)) {
      const skill = lookForSkill(place, entry);
      if (skill === null) continue;
      if ("problem" in skill) problems.push(skill.problem);
      else if (found.has(skill.name.toLowerCase())) continue;
      else if (found.size < LIMITS.skills) found.set(skill.name.toLowerCase(), skill);
      else problems.push(`${skill.path} is left out: there are ${LIMITS.skills} skills already`);
    }
  }
  return { skills: [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1)), problems };
}
