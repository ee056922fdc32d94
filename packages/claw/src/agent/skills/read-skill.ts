import { objectOf, firstChars, LIMITS, oneLine } from "claw-contract";
import { loadYaml, readSmallFile } from "../../files/index.ts";
import { isWithin, resolveLinks } from "../context/project-folders.ts";

export interface SkillText {
  /** Name in the front matter; null without a name there. */
  readonly name: string | null;
  readonly description: string;
  /** The instructions below the front matter. */
  readonly body: string;
  readonly headChars: number;
  /** Why the front matter is no YAML; its fields are then the texts on their lines. Null when it is YAML or absent. */
  readonly headProblem: string | null;
}

export type SkillReading = SkillText | { readonly problem: string };

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;

interface FrontMatter {
  readonly name: string;
  readonly description: string;
  /** Why the front matter is no YAML; null when it is. */
  readonly problem: string | null;
}

const NO_FRONT_MATTER: FrontMatter = { name: "", description: "", problem: null };

/** A field as the text on its line, for front matter that is no YAML. */
const lineOf = (head: string, name: string): string => new RegExp(`^${name}:(.*)$`, "m").exec(head)?.[1]?.trim() ?? "";

async function readFrontMatter(head: string, maxChars: number): Promise<FrontMatter> {
  const asLines = (problem: string): FrontMatter => ({
    name: lineOf(head, "name"),
    description: lineOf(head, "description"),
    problem,
  });
  if (head.length > maxChars) return asLines("it is too long to be read");
  const { parseYaml } = await loadYaml();
  const parsed = parseYaml(head, "failsafe");
  if (parsed.kind === "unreadable") {
    const { line = null, message = "it cannot be read" } = parsed.problems[0] ?? {};
    // The head begins below the line of dashes.
    return asLines(line === null ? message : `line ${line + 1}: ${message}`);
  }
  const fields = objectOf(parsed.value);
  const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
  return { name: text(fields["name"]), description: text(fields["description"]), problem: null };
}

/** The first paragraph that is no heading, for a skill that does not describe itself. */
function firstParagraph(body: string): string {
  const paragraphs = body.split(/\n\s*\n/).map((paragraph) => paragraph.trim());
  return paragraphs.find((paragraph) => paragraph !== "" && !paragraph.startsWith("#")) ?? "";
}

/** Takes a SKILL.md apart. A front matter of more than `maxChars` is not read as YAML. Never rejects. */
export async function parseSkill(text: string, maxChars: number = LIMITS.skillHeadChars): Promise<SkillText> {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [whole = "", head = ""] = FRONT_MATTER.exec(plain) ?? [];
  const body = plain.slice(whole.length).trim();
  const { name, description, problem } = head.trim() === "" ? NO_FRONT_MATTER : await readFrontMatter(head, maxChars);
  return {
    name: name || null,
    description: firstChars(oneLine(description || firstParagraph(body)), LIMITS.skillDescriptionChars),
    body,
    headChars: head.length,
    headProblem: problem,
  };
}

/**
 * Path of a SKILL.md, and the folder that must hold the file after links are resolved. `within` is null when the file
 * may be anywhere.
 */
export interface SkillPlace {
  readonly path: string;
  readonly within: string | null;
}

/** Reads a SKILL.md. Never rejects; null when the file does not exist. */
export async function readSkill({ path, within }: SkillPlace, maxChars?: number): Promise<SkillReading | null> {
  const target = resolveLinks(path);
  if (target === undefined) return null;
  const isInside = within === null || isWithin(target, within);
  if (!isInside) return { problem: `it is outside of ${within}` };
  const file = readSmallFile(target, LIMITS.skillBytes);
  if (file.kind === "absent") return null;
  if (file.kind === "unusable") return { problem: file.why };
  return file.text.includes("\0") ? { problem: "it is no text" } : await parseSkill(file.text, maxChars);
}
