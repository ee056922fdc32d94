import type { Check, SessionRecord, Shape } from "claw-contract";
import { checkOf, RECORD_SHAPES, shapeProblem, parseJson } from "claw-contract";

export type LineReading =
  | { readonly kind: "record"; readonly record: SessionRecord }
  /** A line of a type this version does not know. It is kept and passed over. */
  | { readonly kind: "unknown" }
  | { readonly kind: "blank" }
  | { readonly kind: "broken"; readonly why: string };

const checks = new Map<string, Check>();

/** The check of a record's type, made when the first such record is read: most calls read no session. */
function checkFor(type: string): Check | undefined {
  const shape = Object.hasOwn(RECORD_SHAPES, type) ? RECORD_SHAPES[type] : undefined;
  if (shape === undefined) return undefined;
  const check = checks.get(type) ?? checkOf(shape);
  checks.set(type, check);
  return check;
}

const isTyped = (value: unknown): value is { readonly type: string } =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** Reads a line of a session file. Never throws, for any content. */
export function readRecord(line: string): LineReading {
  if (line.trim() === "") return { kind: "blank" };
  const value = parseJson(line);
  if (value === undefined) return { kind: "broken", why: "it is not JSON" };
  if (!isTyped(value)) return { kind: "broken", why: "it is no typed record" };
  const fits = checkFor(value.type);
  if (fits === undefined) return { kind: "unknown" };
  if (fits(value)) return { kind: "record", record: value as SessionRecord };
  return { kind: "broken", why: shapeProblem(RECORD_SHAPES[value.type] as Shape, value) ?? "it does not fit" };
}
