import { ClawError, isSecretName, LIMITS, MASK, nearest } from "claw-contract";
import type { LoadedSettings, SettingsFile } from "../../settings/index.ts";
import { loadSettings, SETTINGS_SECTIONS } from "../../settings/index.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";

function requireSection(section: string | undefined): void {
  if (section === undefined || SETTINGS_SECTIONS.includes(section)) return;
  const close = nearest(section, SETTINGS_SECTIONS, { limit: LIMITS.suggestions });
  throw new ClawError("UNSUPPORTED_CONFIG_SECTION", `'${section.slice(0, 200)}' is not a section of the settings`, {
    operation: "select_section",
    target: section.slice(0, 200),
    hint: `Use one of: ${(close.length > 0 ? close : SETTINGS_SECTIONS).join(", ")}.`,
    details: { supported_sections: SETTINGS_SECTIONS },
  });
}

/** Sections whose members are given to programs and servers, and may be secret whatever their names are. */
const HANDED_ON = /^env\.|^mcpServers\..*\.(?:env|headers)\./;

/** A secret by the name of any part of its key: all that stands below `credentials` is one. */
const isSecretKey = (key: string): boolean => HANDED_ON.test(key) || key.split(".").some(isSecretName);

const inSection = (key: string, section: string | undefined): boolean =>
  section === undefined || key === section || key.startsWith(`${section}.`);

function describeFile(file: SettingsFile, index: number, { values }: LoadedSettings) {
  const keys = [...file.values.keys()];
  /** Lists are those of all files together. */
  const decides = (key: string): boolean => {
    const setting = values.get(key);
    return setting?.file === file.path || Array.isArray(setting?.value);
  };
  return {
    path: file.path,
    source: file.source,
    precedence: index + 1,
    status: file.status,
    problem: file.problem,
    keys: keys.filter(decides),
    shadowed_keys: keys.filter((key) => !decides(key)),
  };
}

export const handler = handle("config", {
  run: ({ section }, ports) => {
    requireSection(section);
    const settings = loadSettings(ports.cwd, ports.env);
    for (const warning of settings.warnings) ports.notes.warn(warning);
    return {
      kind: "config",
      status: settings.error === null ? "ok" : "degraded",
      section: section ?? null,
      values: [...settings.values.values()]
        .filter(({ key }) => inSection(key, section))
        .map(({ key, value, file }) => ({ key, value: isSecretKey(key) ? MASK : value, file })),
      files: settings.files.map((file, index) => describeFile(file, index, settings)),
      supported_sections: [...SETTINGS_SECTIONS],
      load_error: settings.error,
    };
  },
  show: ({ values, files, load_error }, paint) => {
    const used = files.filter((file) => file.status !== "not_found");
    const rows = values.map(({ key, value, file }) => [key, JSON.stringify(value), file ?? ""]);
    const parts = [
      values.length === 0 ? "No settings; defaults hold." : table(["SETTING", "VALUE", "FILE"], rows, paint),
      ...used.filter((file) => file.problem !== null).map((file) => paint.red(`${file.path}: ${file.problem ?? ""}`)),
      ...(used.length === 0 ? [`Create them: ${paint.cyan("claw init")}`] : []),
      ...(load_error === null ? [] : [paint.yellow("A broken file is left out until it is mended.")]),
    ];
    return parts.join("\n");
  },
});
