import type { JsonObject } from "claw-contract";
import { arrayOf, ClawError, cutChars, nearest, objectOf } from "claw-contract";

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Members that the schema does not know, for the code `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** A schema of the schema library, as far as an input needs it. */
export interface InputSchema {
  safeParse(
    input: unknown,
  ):
    | { readonly success: true; readonly data: object }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** The arguments of a tool: the schema that reads them, and the JSON Schema that `tools/list` shows. */
export interface ToolArguments {
  readonly name: string;
  readonly schema: InputSchema;
  readonly shown: JsonObject;
}

/** Problems in one error, and characters of a name that a caller made up. */
const MAX_PROBLEMS = 10;
const NAME_CHARS = 60;

/** Names of members at a place of an input, by its JSON Schema. Numbers in the path lead into lists. */
function namesAt(shown: JsonObject, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<JsonObject>(
    (schema, key) => objectOf(typeof key === "number" ? schema["items"] : objectOf(schema["properties"])[String(key)]),
    shown,
  );
  return Object.keys(objectOf(at["properties"]));
}

/** An argument that the tool does not know, and the one that was probably meant. */
function unknownArgument(key: string, names: readonly string[], path: readonly PropertyKey[]): string {
  const [near] = nearest(key, names, { limit: 1 });
  const meant = near === undefined ? `known are ${names.join(", ") || "none"}` : `did you mean ${near}?`;
  return `${[...path, cutChars(key, NAME_CHARS)].join(".")}: unknown argument; ${meant}`;
}

function problemsOf({ code, keys, path, message }: Issue, shown: JsonObject): readonly string[] {
  if (code !== "unrecognized_keys") return [`${path.join(".") || "input"}: ${message}`];
  const names = namesAt(shown, path);
  return arrayOf(keys).map((key) => unknownArgument(String(key), names, path));
}

/** Reads the input of a tool by its contract. Throws INVALID_FLAG_VALUE or UNKNOWN_OPTION, which name the problems. */
export function readArguments({ name, schema, shown }: ToolArguments, input: JsonObject): object {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const isUnknown = issues.every(({ code }) => code === "unrecognized_keys");
  const problems = issues.flatMap((issue) => problemsOf(issue, shown)).slice(0, MAX_PROBLEMS);
  throw new ClawError(isUnknown ? "UNKNOWN_OPTION" : "INVALID_FLAG_VALUE", problems.join("; "), {
    operation: "read_tool_input",
    target: name,
    hint: "Correct the arguments; tools/list has their schema.",
  });
}
