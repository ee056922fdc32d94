import { ENVELOPES, PERMISSION_MODES } from "@claw/contract";

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === "string" ? undefined : "must be text");

const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && values.includes(value) ? undefined : `must be one of ${values.join(", ")}`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What each key must hold. By hand, because settings are read before the schema library may be loaded. */
const CHECKS: Readonly<Record<string, Check>> = {
  $schema: text,
  model: text,
  envelope: oneOf(ENVELOPES),
  outputFormat: oneOf(["text", "json"]),
  permissions: (value) => {
    if (!isObject(value)) return "must be an object";
    const mode = value["defaultMode"];
    const problem = mode === undefined ? undefined : oneOf(PERMISSION_MODES)(mode);
    return problem === undefined ? undefined : `defaultMode ${problem}`;
  },
};

/** Top-level keys that may stand in a settings file. */
export const KNOWN_KEYS: readonly string[] = Object.keys(CHECKS);

/** Those of them that are settings. */
export const SETTINGS_SECTIONS: readonly string[] = KNOWN_KEYS.filter((key) => !key.startsWith("$"));

/** What is wrong with the values of a file; undefined when they can be used. Names keys, never values. */
export function settingsProblem(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, check] of Object.entries(CHECKS)) {
    const value = values[key];
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) return `'${key}' ${problem}`;
  }
  return undefined;
}
