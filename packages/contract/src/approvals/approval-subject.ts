import type { WorkerEvent } from "../events/worker-event.ts";
import { isObject } from "../json.ts";

/** JSON text that is the same for equal values, in whatever order their members were written. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

export type Subject = Readonly<Record<string, unknown>>;

/** What belongs to the question itself, or is told elsewhere. */
const NOT_ASKED = new Set(["kind", "severity", "message", "request_id", "data", "options", "deadline", "timeout_ms"]);

/** Other names under which agents tell the same. */
const ALIASES: Readonly<Record<string, string>> = { tool_name: "tool", tool_input: "input", cmd: "command" };

/** A command that stands in the input of a tool is what is asked for. */
function commandIn(subject: Subject): Subject {
  const { input, command, argv } = subject;
  if (command !== undefined || argv !== undefined || !isObject(input)) return {};
  const inner = input["command"];
  if (Array.isArray(inner)) return { argv: inner };
  return typeof inner === "string" ? { command: inner } : {};
}

/**
 * What exactly a question asks for: everything its event says beside the question, wherever the publisher put it,
 * under one set of names. Where both places have a field, `data` wins.
 */
export function approvalSubject(event: WorkerEvent): Subject {
  const subject: Record<string, unknown> = {};
  for (const [name, value] of [...Object.entries(event), ...Object.entries(event.data ?? {})]) {
    if (NOT_ASKED.has(name) || name === "__proto__" || value === undefined || value === null) continue;
    const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
    subject[known ?? name] = value;
  }
  return { ...subject, ...commandIn(subject) };
}
