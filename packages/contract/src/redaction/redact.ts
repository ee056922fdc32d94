import { createExactScan } from "./exact-scan.ts";
import { maskAssignments, maskMember } from "./secret-assignments.ts";
import { isSecretName } from "./secret-name.ts";
import { createSecretScan } from "./secret-scan.ts";
import { MASK, maskPrivateKeys, maskShapes } from "./secret-shapes.ts";
import { findUnfinished } from "./unfinished-secret.ts";
import type { JsonObject } from "../json.ts";

export { isSecretName } from "./secret-name.ts";
export { MASK } from "./secret-shapes.ts";

/** Shortest exact value that is masked: masking a shorter value would damage ordinary text. */
export const MIN_SECRET_CHARS = 8;
/** Values nested deeper than this are masked whole. */
export const MAX_REDACTED_DEPTH = 256;

const SCHEMA_TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const SCHEMA_MEMBERS = ["$ref", "anyOf", "oneOf", "allOf", "enum"];

export interface RedactorOptions {
  /** Exact values that must never appear in output, in any form or shape. */
  readonly secrets?: Iterable<string>;
}

export interface Redactor {
  /** The text with every secret replaced by the mask. A second call changes nothing more. */
  readonly redactText: (text: string) => string;
  /**
   * The JSON value with every secret in its strings and member names replaced; shape, numbers, booleans and nulls stay.
   * Nothing is changed in place: parts without secrets, or the whole, come back as the same reference.
   */
  readonly redactValue: <Value>(value: Value) => Value;
  /**
   * The same as `redactValue`, from JSON text to JSON text. A text without secrets comes back as it is, and is not parsed
   * when its looks show that it holds none. Throws a SyntaxError when a text that has to be parsed is no JSON.
   */
  readonly redactJson: (json: string) => string;
  /**
   * Whether the JSON text of a list, and of values around it, holds no secret, by its looks alone. False also for text
   * whose looks do not tell. One look at a long text is quicker than a look at each item.
   */
  readonly looksClean: (json: string, items: readonly string[]) => boolean;
  /** Position of a possible, incomplete secret in a text that arrives in pieces; the text's length when none. */
  readonly unfinishedAt: (text: string) => number;
}

/** Makes a redactor. The methods never throw on JSON values and take time linear in the input. */
export function createRedactor({ secrets = [] }: RedactorOptions = {}): Redactor {
  const exact = exactValues(secrets);
  const scan = createSecretScan(createExactScan(exact));
  const maskExact = (text: string): string => exact.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  const maskKnown = (text: string): string => maskShapes(maskPrivateKeys(maskExact(text)));
  const maskLine = (line: string): string => (scan.text(line) ? maskAssignments(maskShapes(line)) : line);
  const redactText = (text: string): string => {
    if (!scan.text(text)) return text;
    return maskPrivateKeys(maskExact(text)).split("\n").map(maskLine).join("\n");
  };
  const walk = createWalk({ redactText, maskKnown });
  const redactValue = <Value>(value: Value): Value => (scan.value(value) ? (walk(value, 0) as Value) : value);
  return {
    redactText,
    redactValue,
    looksClean: (json, items) => !scan.json(json, items),
    redactJson: (json) => {
      if (!scan.json(json, [json])) return json;
      const value: unknown = JSON.parse(json);
      const shown = redactValue(value);
      return shown === value ? json : JSON.stringify(shown);
    },
    unfinishedAt: (text) => findUnfinished(text, exact),
  };
}

/** The values to mask, longest first: a secret that contains another secret is masked as a whole. */
function exactValues(secrets: Iterable<string>): string[] {
  const spellings = [...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), urlEncoded(secret)]);
  return [...new Set(spellings)]
    .filter((secret) => secret.length >= MIN_SECRET_CHARS && !MASK.includes(secret))
    .sort((left, right) => right.length - left.length);
}

function urlEncoded(secret: string): string {
  return /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
}

interface TextMasks {
  readonly redactText: (text: string) => string;
  readonly maskKnown: (text: string) => string;
}

function createWalk({ redactText, maskKnown }: TextMasks): (value: unknown, depth: number) => unknown {
  /** `owner` is the secret name that holds the value, if any. */
  const walk = (value: unknown, depth: number, owner?: string): unknown => {
    if (typeof value === "string") return owner === undefined ? redactText(value) : maskMember(owner, value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_REDACTED_DEPTH) return MASK;
    return Array.isArray(value) ? walkItems(value, depth, owner) : walkMembers(value as JsonObject, depth, owner);
  };
  const walkItems = (items: readonly unknown[], depth: number, owner?: string): readonly unknown[] => {
    const walked = items.map((item) => walk(item, depth + 1, owner));
    return walked.some((item, index) => item !== items[index]) ? walked : items;
  };
  const walkMembers = (members: JsonObject, depth: number, owner?: string): JsonObject => {
    const inherited = owner === undefined || describesType(members) ? undefined : owner;
    const named = typeof members["name"] === "string" && isSecretName(members["name"]) ? members["name"] : undefined;
    let changed = false;
    const walked = new Map<string, unknown>();
    for (const [name, value] of Object.entries(members)) {
      const shown = name.length < MIN_SECRET_CHARS ? name : maskKnown(name);
      const holder = isSecretName(name) ? name : name === "value" ? (named ?? inherited) : inherited;
      const masked = walk(value, depth + 1, holder);
      changed ||= shown !== name || masked !== value;
      walked.set(freeName(shown, walked), masked);
    }
    return changed ? Object.fromEntries(walked) : members;
  };
  return walk;
}

/** A schema member called `password` describes a password; it does not hold one. */
function describesType(members: JsonObject): boolean {
  const { type } = members;
  return (
    (typeof type === "string" && SCHEMA_TYPES.has(type)) || SCHEMA_MEMBERS.some((name) => Object.hasOwn(members, name))
  );
}

/** Masking may make two member names equal; the later name gets a number, so no value is lost. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}
