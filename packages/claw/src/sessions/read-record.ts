import type { SessionRecord } from "@claw/contract";
import { checkOf, recordShapes, shapeProblem } from "@claw/contract";

export type LineReading =
  | { readonly kind: "record"; readonly record: SessionRecord }
  /** A line of a type this version does not know. It is kept and passed over. */
  | { readonly kind: "unknown" }
  | { readonly kind: "blank" }
  | { readonly kind: "broken"; readonly why: string };

/** What is asked of a record of each known type. */
const SHAPES = new Map(recordShapes().map(([type, shape]) => [type, { shape, fits: checkOf(shape) }]));

const isTyped = (value: unknown): value is { readonly type: string } =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** Reads a line of a session file. Never throws, for any content. */
export function readRecord(line: string): LineReading {
  if (line.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "broken", why: "it is not JSON" };
  }
  if (!isTyped(value)) return { kind: "broken", why: "it is no typed record" };
  const known = SHAPES.get(value.type);
  if (known === undefined) return { kind: "unknown" };
  if (known.fits(value)) return { kind: "record", record: value as SessionRecord };
  return { kind: "broken", why: shapeProblem(known.shape, value) ?? "it does not fit" };
}
