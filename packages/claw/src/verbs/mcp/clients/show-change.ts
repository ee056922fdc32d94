import type { VerbOutput } from "claw-contract";
import type { Paint } from "../../runtime/paint.ts";

type Change = Pick<VerbOutput<"mcp install">, "effect" | "path" | "diff" | "backup" | "client" | "via" | "remarks">;

const WORDS = {
  created: "Wrote",
  updated: "Changed",
  deleted: "Removed",
  noop: "As it was:",
  would_create: "Would write",
  would_update: "Would change",
  would_delete: "Would remove",
} as const;

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint.green(line);
  if (line.startsWith("-")) return paint.red(line);
  return line.startsWith("@@") ? paint.cyan(line) : line;
}

/** What happened to a client's file, for people. */
export function showChange({ effect, path, diff, backup, client, via, remarks }: Change, paint: Paint): string {
  const through = via === "client" ? `, through ${client} itself` : "";
  const lines = diff === "" ? [] : diff.split("\n").map((line) => paintLine(line, paint));
  const copy = backup === null ? [] : [`Copy from before: ${backup}`];
  return [`${WORDS[effect]} ${path}${through}`, ...lines, ...copy, ...remarks.map((text) => paint.yellow(text))].join(
    "\n",
  );
}
