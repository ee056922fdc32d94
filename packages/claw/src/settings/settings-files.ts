import { homedir } from "node:os";
import { join } from "node:path";

export interface SettingsPlace {
  readonly path: string;
  readonly source: "user" | "project" | "local";
}

/** Where settings may stand, weakest first. Only the working folder is looked at, not the folders above it. */
export function settingsPlaces(cwd: string, env: NodeJS.ProcessEnv): SettingsPlace[] {
  const home = env["HOME"] || homedir();
  const configHome = env["CLAW_CONFIG_HOME"] || join(home, ".claw");
  return [
    { path: join(home, ".claw.json"), source: "user" },
    { path: join(configHome, "settings.json"), source: "user" },
    { path: join(cwd, ".claw.json"), source: "project" },
    { path: join(cwd, ".claw", "settings.json"), source: "project" },
    { path: join(cwd, ".claw", "settings.local.json"), source: "local" },
  ];
}
