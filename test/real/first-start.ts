import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealScene } from "./real-scene.ts";

const claudeFile = ({ env }: RealScene, name: string): string => join(String(env["CLAUDE_CONFIG_DIR"]), name);

/** A scene whose Claude Code logs in by a token: it does not ask about that as it does about a key. */
export function withToken({ env, ...scene }: RealScene): RealScene {
  const { ANTHROPIC_API_KEY: token, ...rest } = env;
  return { ...scene, env: { ...rest, ANTHROPIC_AUTH_TOKEN: token } };
}

/** What Claude Code would ask at its first start is answered; whether its folder is trusted is said apart. */
export function claudeStarted(scene: RealScene, trusted = true): RealScene {
  const projects = { [scene.cwd]: { hasTrustDialogAccepted: trusted } };
  writeFileSync(claudeFile(scene, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true, projects }));
  const asking = { permissions: { defaultMode: "default", disableAutoMode: "disable" } };
  writeFileSync(claudeFile(scene, "settings.json"), JSON.stringify(asking));
  return scene;
}

/** Claude Code as after its first start, logged in by a token. */
export const claudePastFirstStart = (scene: RealScene): RealScene => withToken(claudeStarted(scene));

const codexFile = ({ env }: RealScene, name: string): string => join(String(env["CODEX_HOME"]), name);

/** Codex keeps to the model it is told, and does not offer another. */
export function codexKeepsModel(scene: RealScene): RealScene {
  appendFileSync(codexFile(scene, "config.toml"), `\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`);
  return scene;
}

export function codexTrustsFolder(scene: RealScene): RealScene {
  appendFileSync(codexFile(scene, "config.toml"), `\n[projects."${scene.cwd}"]\ntrust_level = "trusted"\n`);
  return scene;
}

/** Codex as after its first start. */
export const codexPastFirstStart = (scene: RealScene): RealScene => codexTrustsFolder(codexKeepsModel(scene));

/** Codex that knows of a newer version of itself. */
export function codexIsOld(scene: RealScene): RealScene {
  const config = readFileSync(codexFile(scene, "config.toml"), "utf8");
  writeFileSync(codexFile(scene, "config.toml"), config.replace("check_for_update_on_startup = false", ""));
  const known = { latest_version: "9.9.9", last_checked_at: new Date().toISOString(), dismissed_version: null };
  writeFileSync(codexFile(scene, "version.json"), JSON.stringify(known));
  return scene;
}

/** Gemini CLI that logs in by the key of its environment: with an address of its own it would not ask for one. */
export function geminiTakesKey(scene: RealScene): RealScene {
  const folder = join(String(scene.env["HOME"]), ".gemini");
  mkdirSync(folder, { recursive: true });
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings, null, 2));
  return scene;
}
