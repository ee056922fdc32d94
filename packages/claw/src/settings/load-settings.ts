import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "claw-contract";
import { isObject, nearest } from "claw-contract";
import { CLAW_FOLDER, isForeign } from "../files/index.ts";
import type { SettingsTree } from "./honour-settings.ts";
import { honourSettings, isTrustedWorkspace } from "./honour-settings.ts";
import { mergeSettings } from "./merge-settings.ts";
import type { FileReading } from "./read-settings.ts";
import { readSettingsFile } from "./read-settings.ts";
import type { SettingsPlace } from "./settings-files.ts";
import { settingsPlaces } from "./settings-files.ts";
import { KNOWN_KEYS, SETTINGS_SECTIONS } from "./settings-rules.ts";

export interface SettingsFile extends SettingsPlace {
  readonly status: "loaded" | "not_found" | "invalid";
  readonly problem: string | null;
  /** Values that count, by dotted key, in the order of the file. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The same as they stand in the file. */
  readonly tree: SettingsTree;
}

export interface Setting {
  readonly key: string;
  readonly value: unknown;
  /** The last settings file with a value for the key. */
  readonly file: string;
}

export interface LoadedSettings {
  /** Weakest first. */
  readonly files: readonly SettingsFile[];
  /** The effective value for each dotted key, and the file that sets it. */
  readonly values: ReadonlyMap<string, Setting>;
  /** All effective settings, merged. Lists contain the items of all files. */
  readonly merged: Settings;
  /** Whether the folder's own settings have the same rights as the user's settings. */
  readonly isTrusted: boolean;
  /** Why a file cannot be used; null when all files are usable. */
  readonly error: string | null;
  readonly warnings: readonly string[];
}

/** The mode without any settings. */
const DEFAULT_MODE = "workspace-write";

/** Objects become dotted keys; arrays and scalars are values. */
function flatten(values: object, prefix = ""): [string, unknown][] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const path = prefix + key;
    return isObject(value) ? flatten(value, `${path}.`) : [[path, value]];
  });
}

function fileOf(place: SettingsPlace, reading: FileReading): SettingsFile {
  const nothing = { values: new Map(), tree: {} };
  if (reading.kind === "absent") return { ...place, status: "not_found", problem: null, ...nothing };
  if (reading.kind === "invalid") return { ...place, status: "invalid", problem: reading.problem, ...nothing };
  const tree = reading.values;
  return { ...place, status: "loaded", problem: null, values: new Map(flatten(tree)), tree };
}

function unknownKeyWarnings(file: SettingsFile): string[] {
  return Object.keys(file.tree)
    .filter((key) => !KNOWN_KEYS.includes(key))
    .map((key) => {
      const [close] = nearest(key, SETTINGS_SECTIONS, { limit: 1 });
      const advice = close === undefined ? "" : `; did you mean '${close}'?`;
      return `UNKNOWN_SETTING: '${key}' in ${file.path} has no effect${advice}`;
    });
}

interface Judged {
  readonly files: readonly SettingsFile[];
  readonly isTrusted: boolean;
  readonly warnings: readonly string[];
}

/**
 * Why a settings file of the folder is not read: it is a link, or belongs to another user whom this user does not
 * trust.
 */
function refusal({ path, source }: SettingsFile, cwd: string, isTrusted: boolean): string | null {
  if (source === "user") return null;
  const folder = join(cwd, CLAW_FOLDER);
  for (const place of path.startsWith(`${folder}/`) ? [folder, path] : [path]) {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() && place !== join(cwd, ".claw.json")) return `${place} is a symbolic link`;
    if (stats !== undefined && isForeign(stats) && !isTrusted) {
      return `${place} belongs to another user; trust the folder to read it`;
    }
  }
  return null;
}

/** Leaves out the settings that files of the folder may not decide. */
function judge(files: readonly SettingsFile[], cwd: string, env: NodeJS.ProcessEnv): Judged {
  const own = files.filter((file) => file.source === "user");
  const { trustedRoots = [], permissions } = mergeSettings(own.map(({ tree }) => tree)) as Settings;
  const isTrusted = isTrustedWorkspace({ cwd, env, roots: trustedRoots });
  const mode = permissions?.defaultMode ?? DEFAULT_MODE;
  const warnings: string[] = [];
  const judged = files.map((file) => {
    // In the home folder, the project's file is the user's own file.
    const isUser = own.some(({ path }) => path === file.path);
    const problem = isUser || file.status !== "loaded" ? null : refusal(file, cwd, isTrusted);
    if (problem !== null) return fileOf(file, { kind: "invalid", problem });
    const { values: tree, ignored } = honourSettings(file.tree, { isUser, isTrusted, mode });
    if (ignored.length === 0) return file;
    const advice = isTrusted
      ? "name trusted folders in your own settings"
      : `trust the folder with CLAW_TRUST_WORKSPACE=1, or name it in trustedRoots of ${own.at(-1)?.path ?? "your own settings"}`;
    const keys = ignored.map((key) => `'${key}'`).join(", ");
    warnings.push(`UNTRUSTED_SETTING: ${keys} in ${file.path}: without effect; ${advice}`);
    return { ...file, values: new Map(flatten(tree)), tree };
  });
  return { files: judged, isTrusted, warnings };
}

/** Reads and merges every settings file. Never throws; a broken file is reported and left out. */
export function loadSettings(cwd: string, env: NodeJS.ProcessEnv): LoadedSettings {
  const read = settingsPlaces(cwd, env).map((place) => fileOf(place, readSettingsFile(place.path)));
  const { files, isTrusted, warnings } = judge(read, cwd, env);
  const merged = mergeSettings(files.map(({ tree }) => tree));
  const values = new Map<string, Setting>();
  for (const [key, value] of flatten(merged)) {
    const file = files.findLast((candidate) => candidate.values.has(key))?.path;
    if (file !== undefined) values.set(key, { key, value, file });
  }
  const broken = files.filter((file) => file.status === "invalid");
  return {
    files,
    values,
    merged,
    isTrusted,
    error: broken.length === 0 ? null : broken.map((file) => `${file.path}: ${file.problem ?? ""}`).join("; "),
    warnings: [...read.flatMap(unknownKeyWarnings), ...warnings],
  };
}
