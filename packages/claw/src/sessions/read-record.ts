import type { SessionRecord } from "@claw/contract";

export type LineReading =
  | { readonly kind: "record"; readonly record: SessionRecord }
  /** A line of a type this version does not know. It is kept and passed over. */
  | { readonly kind: "unknown" }
  | { readonly kind: "blank" }
  | { readonly kind: "broken"; readonly why: string };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const areCounts = (fields: unknown, names: readonly string[]): boolean =>
  isObject(fields) && names.every((name) => isCount(fields[name]));

const USAGE_FIELDS = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const TOTAL_FIELDS = [
  "messages",
  "prompts",
  "turns",
  "input_tokens",
  "output_tokens",
  "latest_total",
  "estimated_tokens",
];
const ROLES = new Set<unknown>(["system", "user", "assistant", "tool"]);

function usageProblem(usage: unknown, place: string): string | undefined {
  if (usage === undefined) return undefined;
  if (!isObject(usage)) return `${place} is no object`;
  const wrong = USAGE_FIELDS.find((name) => usage[name] !== undefined && !isCount(usage[name]));
  return wrong === undefined ? undefined : `${place}.${wrong} is no count`;
}

function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return "message is no object";
  if (!ROLES.has(message["role"])) return "message.role is unknown";
  const blocks = message["blocks"];
  if (!Array.isArray(blocks)) return "message.blocks is no array";
  const bad = blocks.findIndex((block) => !isObject(block) || typeof block["type"] !== "string");
  if (bad !== -1) return `message.blocks[${bad}] has no type`;
  return usageProblem(message["usage"], "message.usage");
}

/** What is wrong with a record of a known type; undefined when it can be used. */
const PROBLEMS: Readonly<Record<string, (fields: Fields) => string | undefined>> = {
  session_meta: (fields) => (Number.isSafeInteger(fields["version"]) ? undefined : "version is no whole number"),
  message: (fields) => messageProblem(fields["message"]),
  compaction: (fields) =>
    typeof fields["summary"] === "string" ? usageProblem(fields["usage"], "usage") : "summary is no text",
  prompt_history: (fields) => (typeof fields["text"] === "string" ? undefined : "text is no text"),
  turn_commit: (fields) => {
    if (typeof fields["turn_id"] !== "string") return "turn_id is no text";
    return areCounts(fields["totals"], TOTAL_FIELDS) ? undefined : "totals are incomplete";
  },
};

/** Reads a line of a session file. Never throws, for any content. */
export function readRecord(line: string): LineReading {
  if (line.trim() === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "broken", why: "it is not JSON" };
  }
  if (!isObject(value) || typeof value["type"] !== "string") return { kind: "broken", why: "it is no typed record" };
  const problemOf = Object.hasOwn(PROBLEMS, value["type"]) ? PROBLEMS[value["type"]] : undefined;
  if (problemOf === undefined) return { kind: "unknown" };
  const why = problemOf(value);
  return why === undefined ? { kind: "record", record: value as unknown as SessionRecord } : { kind: "broken", why };
}
