import { ClawError, isTopicPattern, matchSegments } from "claw-contract";

/** Topics that are asked for. */
export interface Topics {
  /** A pattern that covers all topics asked for. */
  readonly pattern: string;
  /** For people. */
  readonly text: string;
  fits(topic: string): boolean;
}

function requirePattern(text: string, target: string): void {
  const shown = text.slice(0, 200);
  if (isTopicPattern(text)) return;
  throw new ClawError("INVALID_FLAG_VALUE", `'${shown}' is not a pattern of topics`, {
    operation: "parse_arguments",
    target,
    hint: "Write segments with dots between them, as in 'worker.*.event' or 'system.**'.",
  });
}

/** The common beginning of all patterns, followed by `**`: the log is then read once and in order. */
function coverAll(patterns: readonly string[]): string {
  const [first = [], ...others] = patterns.map((pattern) => pattern.split("."));
  const differs = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return [...(differs === -1 ? first : first.slice(0, differs)), "**"].join(".");
}

/**
 * Reads patterns of topics; none means all topics. Throws INVALID_FLAG_VALUE for a pattern that no topic could ever
 * fit.
 */
export function readTopics(given: readonly string[] = ["**"], target = "--topic"): Topics {
  for (const text of given) requirePattern(text, target);
  const [only, ...more] = new Set(given);
  const segments = given.map((pattern) => pattern.split("."));
  return {
    pattern: only !== undefined && more.length === 0 ? only : coverAll(given),
    text: given.join(", "),
    fits: (topic) => more.length === 0 || segments.some((pattern) => matchSegments(pattern, topic.split("."))),
  };
}
