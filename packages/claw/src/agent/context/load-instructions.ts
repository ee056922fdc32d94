import { basename, dirname, join } from "node:path";
import { LIMITS, firstChars } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { isWithin, projectFolders, resolveLinks } from "./project-folders.ts";

export interface InstructionFile {
  readonly path: string;
  /** Text for the prompt. A long file is cut and ends in a note about the missing characters. */
  readonly text: string;
}

export interface Instructions {
  /** The most general first. */
  readonly files: readonly InstructionFile[];
  /** Sentences for people about files that were left out. */
  readonly problems: readonly string[];
}

export interface InstructionPlaces {
  readonly cwd: string;
  /** Folder of the user's own settings; null when the user has no home. */
  readonly configHome: string | null;
}

const OWN_NAMES = ["AGENTS.md", "CLAUDE.md"];
const FILE_NAMES = [...OWN_NAMES, "CLAUDE.local.md", ".claw/CLAUDE.md"];

interface Candidate {
  readonly path: string;
  /** Folder that must hold the file after links are resolved; null for the user's own files, which may be anywhere. */
  readonly within: string | null;
  /** Whether the file is in the working folder, where the agent itself may have made a link. */
  readonly isAgents: boolean;
}

function candidates({ cwd, configHome }: InstructionPlaces): Candidate[] {
  const folders = projectFolders(cwd);
  const [root] = folders;
  const own =
    configHome === null
      ? []
      : OWN_NAMES.map((name) => ({ path: join(configHome, name), within: null, isAgents: false }));
  const inFolder = (folder: string): Candidate[] =>
    FILE_NAMES.map((name) => ({ path: join(folder, name), within: root, isAgents: folder === folders.at(-1) }));
  return [...own, ...folders.flatMap(inFolder)];
}

type FileReading = { readonly text: string } | { readonly problem: string } | null;

/**
 * Whether a file may be shown. A link may lead to any file of the project. A link in the working folder that leads out
 * of the link's folder must lead to an AGENTS.md or CLAUDE.md, because the agent may have made the link.
 */
function mayShow({ path, within, isAgents }: Candidate, target: string): boolean {
  if (within === null) return true;
  const isOrdinary = !isAgents || isWithin(target, resolveLinks(dirname(path)) ?? path);
  return isWithin(target, within) && (isOrdinary || OWN_NAMES.includes(basename(target)));
}

function read(candidate: Candidate): FileReading {
  const { path, within } = candidate;
  const target = resolveLinks(path);
  if (target === undefined) return null;
  if (!mayShow(candidate, target)) return { problem: `${path} is left out: it is outside of ${within}` };
  const file = readSmallFile(target, LIMITS.instructionBytes);
  if (file.kind === "absent") return null;
  if (file.kind === "unusable") return { problem: `${path} is left out: ${file.why}` };
  if (file.text.includes("\0")) return { problem: `${path} is left out: it is no text` };
  const text = file.text.replace(/^\uFEFF/, "").trim();
  return text === "" ? null : { text };
}

/** The first characters of a text, and a note on how many characters are left out. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${firstChars(text, chars)}\n[${text.length - chars} more characters of this file are left out]`;
}

/**
 * Reads the instructions that people have written for agents: the user's own files, then the project's files from the
 * root to the working folder. Each file and the total have a size limit. The same text counts once. No link leads out
 * of the project. Never throws.
 */
export function loadInstructions(places: InstructionPlaces): Instructions {
  const files: InstructionFile[] = [];
  const problems: string[] = [];
  const known = new Set<string>();
  let room: number = LIMITS.instructionsChars;
  for (const candidate of candidates(places)) {
    const { path } = candidate;
    const reading = read(candidate);
    if (reading === null) continue;
    if ("problem" in reading) {
      problems.push(reading.problem);
      continue;
    }
    const { text } = reading;
    if (known.has(text)) continue;
    known.add(text);
    if (room <= 0) {
      problems.push(`${path} is left out: instructions before it have ${LIMITS.instructionsChars} characters`);
      continue;
    }
    const chars = Math.min(LIMITS.instructionChars, room);
    room -= Math.min(text.length, chars);
    files.push({ path, text: cut(text, chars) });
  }
  return { files, problems };
}
