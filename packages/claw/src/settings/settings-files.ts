import { homedir } from "node:os";
import { join } from "node:path";

export interface SettingsPlace {
  readonly path: string;
  readonly source: "user" | "project" | "local";
}

/** A user whom the system does not know has no home, and no settings of their own. */
function findHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Where settings may stand, weakest first. Only the working folder is looked at, not the folders above it. */
export function settingsPlaces(cwd: string, env: NodeJS.ProcessEnv): SettingsPlace[] {
  const home = env["HOME"] || findHome();
  const configHome = env["CLAW_CONFIG_HOME"] || (home === undefined ? undefined : join(home, ".claw"));
  return [
    ...(home === undefined ? [] : [{ path: join(home, ".claw.json"), source: "user" as const }]),
    ...(configHome === undefined ? [] : [{ path: join(configHome, "settings.json"), source: "user" as const }]),
    { path: join(cwd, ".claw.json"), source: "project" },
    { path: join(cwd, ".claw", "settings.json"), source: "project" },
    { path: join(cwd, ".claw", "settings.local.json"), source: "local" },
  ];
}
