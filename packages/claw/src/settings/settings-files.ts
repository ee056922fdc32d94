import { homedir } from "node:os";
import { join } from "node:path";

export interface SettingsPlace {
  readonly path: string;
  readonly source: "user" | "project" | "local";
}

/** The user's home folder. A user unknown to the system has neither home nor user settings. */
function findHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Folder of the user's own settings, instructions and skills; null when the user has no home. */
export function configHome(env: NodeJS.ProcessEnv): string | null {
  const home = env["HOME"] || findHome();
  return env["CLAW_CONFIG_HOME"] || (home === undefined ? null : join(home, ".claw"));
}

/** Possible settings files, weakest first. Only the working folder is searched, not its parent folders. */
export function settingsPlaces(cwd: string, env: NodeJS.ProcessEnv): SettingsPlace[] {
  const home = env["HOME"] || findHome();
  const own = configHome(env);
  return [
    ...(home === undefined ? [] : [{ path: join(home, ".claw.json"), source: "user" as const }]),
    ...(own === null ? [] : [{ path: join(own, "settings.json"), source: "user" as const }]),
    { path: join(cwd, ".claw.json"), source: "project" },
    { path: join(cwd, ".claw", "settings.json"), source: "project" },
    { path: join(cwd, ".claw", "settings.local.json"), source: "local" },
  ];
}
