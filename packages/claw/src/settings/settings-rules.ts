import { fieldProblem, SETTINGS_SHAPES, VERSIONS } from "claw-contract";

/** Top-level keys allowed in a settings file. */
export const KNOWN_KEYS: readonly string[] = Object.keys(SETTINGS_SHAPES);

/** Known keys without those of the file format, which begin with `$`. */
export const SETTINGS_SECTIONS: readonly string[] = KNOWN_KEYS.filter((key) => !key.startsWith("$"));

/** The problem of a file's values; undefined when the values are usable. Names keys, never values. */
export function settingsProblem(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, shape] of Object.entries(SETTINGS_SHAPES)) {
    const problem = fieldProblem(shape, values[key]);
    if (problem !== undefined) return `'${key}' ${problem}`;
  }
  const { newest } = VERSIONS.settings;
  if (Number(values["$version"] ?? 1) > newest) {
    return `it has version ${String(values["$version"])}; this version of claw reads up to ${newest}`;
  }
  return undefined;
}
