import { inertLine } from "./inert.ts";

const MESSAGE_CHARS = 400;

/** A refusal in one line, with the hint of the catalogue. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return inertLine(String(error), MESSAGE_CHARS);
  const hint = "hint" in error && typeof error.hint === "string" ? error.hint : "";
  return inertLine([error.message, hint].filter((part) => part !== "").join(". "), MESSAGE_CHARS);
}
