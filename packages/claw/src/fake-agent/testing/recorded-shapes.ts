import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "claw-contract";

const FOLDERS = ["recordings", "more"].map(
  (name) => new URL(`../../../../../test/fixtures/harness/${name}/`, import.meta.url),
);

/** Everything a real CLI was recorded to write, a line each. What went to it is left out. */
export function readRecorded(cli: "claude" | "codex"): JsonObject[] {
  return FOLDERS.flatMap((folder) => {
    const own = new URL(`${cli}/`, folder);
    const files = readdirSync(own).filter((name) => name.endsWith(".ndjson"));
    return files.flatMap((name) => readFileSync(new URL(name, own), "utf8").split("\n").flatMap(readLine));
  });
}

function readLine(line: string): JsonObject[] {
  if (line === "") return [];
  const { dir, ms: _when, ...event } = JSON.parse(line) as JsonObject;
  return dir === undefined ? [event] : [];
}

const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null ? (value as JsonObject) : {};

/** What kind of event it is: only those of the same kind are compared. */
export function kindOf(event: JsonObject): string {
  const { type, subtype, method } = event;
  const content = asObject(event["message"])["content"];
  const [block] = Array.isArray(content) ? (content as JsonObject[]) : [];
  const item = asObject(event["item"] ?? asObject(event["params"])["item"]);
  const inner = asObject(event["event"] ?? event["request"]);
  const words = [type ?? method ?? "reply", subtype, block?.["type"], inner["type"] ?? inner["subtype"], item["type"]];
  return words.filter((word) => typeof word === "string").join(" ");
}

/** Members whose names or content are the caller's, not the CLI's. */
const OPEN = new Set(["input", "tool_input", "arguments"]);

/** Members that are tables: their names are data. */
const TABLES = new Set([
  "modelUsage",
  "model_usage_since_last_result",
  "by_type",
  "agents_states",
  "agentsStates",
  "answers",
]);

/** Whether two values have the same members, all the way down, with the same types. */
export function hasShape(value: unknown, recorded: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(recorded)) {
    return value.every((item) => recorded.some((other) => hasShape(item, other)));
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || typeof recorded !== "object" || recorded === null || Array.isArray(recorded)) {
    return typeName(value) === typeName(recorded);
  }
  const [mine, theirs] = [value as JsonObject, recorded as JsonObject];
  const names = Object.keys(mine).toSorted();
  if (names.join() !== Object.keys(theirs).toSorted().join()) return false;
  return names.every((name) => OPEN.has(name) || memberHasShape(name, mine[name], theirs[name]));
}

function memberHasShape(name: string, value: unknown, recorded: unknown): boolean {
  if (!TABLES.has(name)) return hasShape(value, recorded);
  const others = Object.values(asObject(recorded));
  const items = Object.values(asObject(value));
  return others.length === 0 || items.every((item) => others.some((other) => hasShape(item, other)));
}

const typeName = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
