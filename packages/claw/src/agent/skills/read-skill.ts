import { LIMITS, firstChars } from "@claw/contract";
import { readSmallFile } from "../../files/index.ts";
import { isWithin, resolveLinks } from "../context/project-folders.ts";

export interface SkillText {
  /** Name in the front matter; null without a name there. */
  readonly name: string | null;
  readonly description: string;
  /** The instructions below the front matter. */
  readonly body: string;
}

export type SkillReading = SkillText | { readonly problem: string };

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;

function unquote(value: string): string {
  const [, quoted] = /^"(.*)"$/.exec(value) ?? /^'(.*)'$/.exec(value) ?? [];
  return quoted ?? value;
}

/** Value of a field of the front matter: on one line, or folded over the indented lines below. */
function field(head: string, name: string): string {
  const lines = head.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`${name}:`));
  if (at === -1) return "";
  const first = (lines[at] ?? "").slice(name.length + 1).trim();
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^\s+\S/.test(line));
  const below = rest.slice(0, end === -1 ? rest.length : end).map((line) => line.trim());
  const parts = [/^[>|][+-]?$/.test(first) ? "" : unquote(first), ...below];
  return parts.filter((part) => part !== "").join(" ");
}

/** The first paragraph that is no heading, for a skill that does not describe itself. */
function firstParagraph(body: string): string {
  const paragraphs = body.split(/\n\s*\n/).map((paragraph) => paragraph.trim());
  return paragraphs.find((paragraph) => paragraph !== "" && !paragraph.startsWith("#")) ?? "";
}

/** Takes a SKILL.md apart. */
export function parseSkill(text: string): SkillText {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [whole = "", head = ""] = FRONT_MATTER.exec(plain) ?? [];
  const body = plain.slice(whole.length).trim();
  const description = (field(head, "description") || firstParagraph(body)).replaceAll(/\s+/g, " ");
  return {
    name: field(head, "name") || null,
    description: firstChars(description, LIMITS.skillDescriptionChars),
    body,
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

/** Reads a SKILL.md. Never throws; null when the file does not exist. */
export function readSkill({ path, within }: SkillPlace): SkillReading | null {
  const target = resolveLinks(path);
  if (target === undefined) return null;
  const isInside = within === null || isWithin(target, within);
  if (!isInside) return { problem: `it is outside of ${within}` };
  const file = readSmallFile(target, LIMITS.skillBytes);
  if (file.kind === "absent") return null;
  if (file.kind === "unusable") return { problem: file.why };
  return file.text.includes("\0") ? { problem: "it is no text" } : parseSkill(file.text);
}
