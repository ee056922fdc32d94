import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "claw-contract";
import type { AgentId } from "./known-behaviour.ts";

/** The credentials an agent will use. Names the variable or file, never the secret. */
export interface AgentCredentials {
  readonly kind: "environment" | "login" | "none";
  /** Name of the variable, or path of the file. */
  readonly source: string | null;
}

interface Places {
  /** Variables that hold a key or choose a provider, in the order the agent looks at them. */
  readonly variables: readonly string[];
  /** Files of an earlier login. */
  readonly files: (env: Environment) => readonly string[];
}

const homeOf = (env: Environment): string => env["HOME"] ?? "/";

const PLACES: Readonly<Record<AgentId, Places>> = {
  "claude-code": {
    variables: [
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_API_KEY",
      "CLAUDE_CODE_OAUTH_TOKEN",
    ],
    files: (env) => [join(env["CLAUDE_CONFIG_DIR"] ?? join(homeOf(env), ".claude"), ".credentials.json")],
  },
  codex: {
    variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    files: (env) => [join(env["CODEX_HOME"] ?? join(homeOf(env), ".codex"), "auth.json")],
  },
};

/** Looks for credentials as the agent would. Reads no secret: whether a variable is set and a file is there is enough. */
export function findCredentials(id: AgentId, env: Environment): AgentCredentials {
  const { variables, files } = PLACES[id];
  const variable = variables.find((name) => (env[name] ?? "") !== "");
  if (variable !== undefined) return { kind: "environment", source: variable };
  const file = files(env).find((path) => existsSync(path));
  return file === undefined ? { kind: "none", source: null } : { kind: "login", source: file };
}
