import type { JsonObject } from "@claw/contract";
import { isObject } from "./json-fields.ts";

/** What a line holds: an object, nothing of use, or something that is no JSON. */
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
export function readLine(text: string): LineContent {
  if (text.length === 0) return "nothing";
  const content = parse(text);
  if (content !== "malformed") return content;
  const trimmed = text.trim();
  if (trimmed === "") return "nothing";
  return trimmed.length === text.length ? "malformed" : parse(trimmed);
}
