import { fieldProblem, settingsShapes } from "@claw/contract";

/** Derived from the schema of settings, because settings are read before the schema library is loaded. */
const SHAPES = settingsShapes();

/** Top-level keys allowed in a settings file. */
export const KNOWN_KEYS: readonly string[] = Object.keys(SHAPES);

/** Known keys without those of the file format, which begin with `$`. */
export const SETTINGS_SECTIONS: readonly string[] = KNOWN_KEYS.filter((key) => !key.startsWith("$"));

/** The problem of a file's values; undefined when the values are usable. Names keys, never values. */
export function settingsProblem(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, shape] of Object.entries(SHAPES)) {
    const problem = fieldProblem(shape, values[key]);
    if (problem !== undefined) return `'${key}' ${problem}`;
  }
  return undefined;
}
