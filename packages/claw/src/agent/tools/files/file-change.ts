import { createTwoFilesPatch, structuredPatch } from "diff";
import { LIMITS } from "claw-contract";
import { excerpt } from "../tool-answer.ts";
import type { Preview } from "../tool.ts";

/** A change to one file; null stands for no file yet. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** More different lines than this are not compared: it would take too long to be of use. */
const MAX_EDITS = 2000;
const CONTEXT_LINES = 3;
/** How many characters of a file's old or new text an answer repeats. */
export const REPEATED_CHARS = 2000;

const OPTIONS = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };

/** The change for a person who is to allow it. */
export function previewOf({ path, before, after }: FileChange): Preview {
  const patch = createTwoFilesPatch(before === null ? "/dev/null" : path, path, before ?? "", after, "", "", OPTIONS);
  const diff = patch ?? `--- ${path}\n+++ ${path}\n(too many lines differ to be shown)\n`;
  return { path, diff: excerpt(diff, LIMITS.toolOutputBytes) };
}

/** The change for the model, in hunks; none when they would be too long. */
export function hunksOf({ path, before, after }: FileChange): readonly unknown[] {
  const hunks = structuredPatch(path, path, before ?? "", after, "", "", OPTIONS)?.hunks ?? [];
  return JSON.stringify(hunks).length > LIMITS.toolOutputBytes / 3 ? [] : hunks;
}
