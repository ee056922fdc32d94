import type { LoadedSettings } from "../../settings/index.ts";

export const DEFAULT_MODEL = "claude-opus-4-5";
export const DEFAULT_PERMISSION_MODE = "workspace-write";

const MODEL_VARIABLES = ["CLAW_MODEL", "ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_MODEL"] as const;

/** A chosen value and the source of the choice. */
export interface ModelChoice {
  readonly value: string;
  readonly source: "flag" | "env" | "config" | "default";
  /** The variable, when the environment decided. */
  readonly variable: string | null;
}

interface Candidates {
  readonly flag: string | undefined;
  readonly variables: readonly string[];
  readonly setting: unknown;
  readonly fallback: string;
}

/** Flag before environment before settings before default. */
function choose({ flag, variables, setting, fallback }: Candidates, env: NodeJS.ProcessEnv): ModelChoice {
  if (flag !== undefined) return { value: flag, source: "flag", variable: null };
  for (const variable of variables) {
    const value = env[variable];
    if (value !== undefined && value !== "") return { value, source: "env", variable };
  }
  if (typeof setting === "string") return { value: setting, source: "config", variable: null };
  return { value: fallback, source: "default", variable: null };
}

export function chooseModel(flag: string | undefined, settings: LoadedSettings, env: NodeJS.ProcessEnv): ModelChoice {
  const setting = settings.values.get("model")?.value;
  return choose({ flag, variables: MODEL_VARIABLES, setting, fallback: DEFAULT_MODEL }, env);
}

export function choosePermissionMode(
  flag: string | undefined,
  settings: LoadedSettings,
  env: NodeJS.ProcessEnv,
): ModelChoice {
  const setting = settings.values.get("permissions.defaultMode")?.value;
  const fallback = DEFAULT_PERMISSION_MODE;
  return choose({ flag, variables: ["CLAW_PERMISSION_MODE"], setting, fallback }, env);
}

/** Model ids are passed through as they are; only what cannot be one is refused. */
export const isModelId = (value: string): boolean => /^[^\s\p{Cc}]{1,200}$/u.test(value);
