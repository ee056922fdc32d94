import { nearest } from "@claw/contract";
import type { FileReading } from "./read-settings.ts";
import { readSettingsFile } from "./read-settings.ts";
import type { SettingsPlace } from "./settings-files.ts";
import { settingsPlaces } from "./settings-files.ts";
import { KNOWN_KEYS, SETTINGS_SECTIONS } from "./settings-rules.ts";

export interface SettingsFile extends SettingsPlace {
  readonly status: "loaded" | "not_found" | "invalid";
  readonly problem: string | null;
  /** Values by dotted key, in the order of the file. */
  readonly values: ReadonlyMap<string, unknown>;
}

export interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly file: string;
}

export interface LoadedSettings {
  /** Weakest first. */
  readonly files: readonly SettingsFile[];
  /** The value that holds for each dotted key, and the file it stands in. */
  readonly values: ReadonlyMap<string, Setting>;
  /** What keeps a file from being used; null when all are fine. */
  readonly error: string | null;
  readonly warnings: readonly string[];
}

/** Objects become dotted keys; arrays and scalars are values. */
function flatten(values: object, prefix = ""): [string, unknown][] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const path = prefix + key;
    const nested = typeof value === "object" && value !== null && !Array.isArray(value);
    return nested ? flatten(value, `${path}.`) : [[path, value]];
  });
}

function fileOf(place: SettingsPlace, reading: FileReading): SettingsFile {
  if (reading.kind === "absent") return { ...place, status: "not_found", problem: null, values: new Map() };
  if (reading.kind === "invalid") return { ...place, status: "invalid", problem: reading.problem, values: new Map() };
  return { ...place, status: "loaded", problem: null, values: new Map(flatten(reading.values)) };
}

function unknownKeyWarnings(file: SettingsFile): string[] {
  const used = new Set([...file.values.keys()].map((key) => key.split(".")[0] ?? key));
  return [...used]
    .filter((key) => !KNOWN_KEYS.includes(key))
    .map((key) => {
      const [close] = nearest(key, SETTINGS_SECTIONS, { limit: 1 });
      const advice = close === undefined ? "" : `; did you mean '${close}'?`;
      return `UNKNOWN_SETTING: '${key}' in ${file.path} has no effect${advice}`;
    });
}

/** Reads and merges every settings file. Never throws; a broken file is reported and left out. */
export function loadSettings(cwd: string, env: NodeJS.ProcessEnv): LoadedSettings {
  const files = settingsPlaces(cwd, env).map((place) => fileOf(place, readSettingsFile(place.path)));
  const values = new Map<string, Setting>();
  for (const file of files) {
    for (const [key, value] of file.values) values.set(key, { key, value, file: file.path });
  }
  const broken = files.filter((file) => file.status === "invalid");
  return {
    files,
    values,
    error: broken.length === 0 ? null : broken.map((file) => `${file.path}: ${file.problem ?? ""}`).join("; "),
    warnings: files.flatMap(unknownKeyWarnings),
  };
}
