import { readSettingsFile } from "./read-settings.ts";
import { settingsPlaces } from "./settings-files.ts";

/**
 * The settings that decide how an answer is written, read before anything else and without the schema
 * library. A broken file is passed over here; the verbs that look at settings report it.
 */
export function earlySettings(cwd: string, env: NodeJS.ProcessEnv): { envelope?: string; outputFormat?: string } {
  const found: { envelope?: string; outputFormat?: string } = {};
  for (const place of settingsPlaces(cwd, env)) {
    const reading = readSettingsFile(place.path);
    if (reading.kind !== "values") continue;
    const { envelope, outputFormat } = reading.values;
    if (typeof envelope === "string") found.envelope = envelope;
    if (typeof outputFormat === "string") found.outputFormat = outputFormat;
  }
  return found;
}
