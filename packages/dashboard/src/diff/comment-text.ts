import type { DiffLine } from "./read-diff.ts";

export interface LineComment {
  readonly path: string;
  readonly line: DiffLine;
  readonly text: string;
}

const QUOTED_CHARS = 400;

const placeOf = ({ path, line }: LineComment): string => {
  if (line.after !== null) return `${path}:${line.after}`;
  return line.before === null ? path : `${path}, removed line ${line.before}`;
};

const signOf = ({ kind }: DiffLine): string => (kind === "add" ? "+" : kind === "del" ? "-" : " ");

/** The comments as one text for the worker. Each names its place and quotes its line. */
export function commentText(comments: readonly LineComment[]): string {
  const parts = comments.map((comment) => {
    const quoted =
      comment.line.text.length > QUOTED_CHARS ? `${comment.line.text.slice(0, QUOTED_CHARS)}…` : comment.line.text;
    return [`In ${placeOf(comment)}:`, `> ${signOf(comment.line)}${quoted}`, comment.text.trim()].join("\n");
  });
  return ["Comments on your changes:", ...parts].join("\n\n");
}
