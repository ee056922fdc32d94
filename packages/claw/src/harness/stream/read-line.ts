import type { JsonObject } from "claw-contract";
import { isObject } from "claw-contract";

/**
 * Content of a line: a JSON object, `nothing` for a blank line or another JSON value, `malformed` for text that is no
 * JSON.
 */
export type LineContent = JsonObject | "nothing" | "malformed";

function parse(text: string): LineContent {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : "nothing";
  } catch {
    return "malformed";
  }
}

/** Reads one line. Never throws. */
export function readStreamLine(text: string): LineContent {
  if (text.length === 0) return "nothing";
  const content = parse(text);
  if (content !== "malformed") return content;
  const trimmed = text.trim();
  if (trimmed === "") return "nothing";
  return trimmed.length === text.length ? "malformed" : parse(trimmed);
}
