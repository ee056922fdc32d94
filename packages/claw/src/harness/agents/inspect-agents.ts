import { existsSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import type { Environment } from "claw-contract";
import { findProgram, runCommand } from "../../process/index.ts";
import { AGENT_PROGRAMS } from "../agent-programs.ts";
import type { AgentId, VersionCoverage } from "./known-behaviour.ts";
import { behavioursOf, newestRecorded, coverageOf } from "./known-behaviour.ts";

/** The credentials an agent will use. Names the variable or file, never the secret. */
interface AgentCredentials {
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

/** An agent's CLI on this machine: path, version, credentials and known behaviours. */
export interface AgentReport {
  readonly id: AgentId;
  readonly program: string;
  /** Absolute; null when it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  readonly standing: VersionCoverage;
  readonly newestRecorded: string;
  readonly credentials: AgentCredentials;
  readonly behaviours: readonly string[];
  /** Why its version is not known, although it is installed. */
  readonly problem: string | null;
}

const AGENTS: readonly AgentId[] = ["claude-code", "codex"];

export interface InspectionRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long `--version` may take. */
  readonly timeoutMs?: number;
}

type Version =
  | { readonly version: string; readonly problem: null }
  | { readonly version: null; readonly problem: string };

const unknown = (problem: string): Version => ({ version: null, problem });

async function askVersion(
  path: string,
  { cwd, timeoutMs = LIMITS.agentVersionMs }: InspectionRequest,
  signal: AbortSignal,
): Promise<Version> {
  const asked = `${path} --version`;
  const limits = { timeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runCommand({ argv: [path, "--version"], cwd, ...limits }, signal);
  signal.throwIfAborted();
  switch (result.kind) {
    case "not-started":
      return unknown(`${path} cannot be started`);
    case "timed-out":
      return unknown(`${asked} did not end within ${timeoutMs / 1000} s`);
    case "signalled":
      return unknown(`${asked} was ended by a signal`);
    case "exited": {
      if (result.code !== 0) return unknown(`${asked} ended with exit ${result.code}`);
      const [version] = /(?<!\d)\d+\.\d+\.\d+[\w.+-]*/.exec(result.stdout) ?? [];
      return version === undefined ? unknown(`${asked} named no version`) : { version, problem: null };
    }
  }
}

/** Looks for the agents' CLIs and asks each that is there for its version. Rejects only when the signal is aborted. */
export function inspectAgents(request: InspectionRequest, signal: AbortSignal): Promise<AgentReport[]> {
  return Promise.all(
    AGENTS.map(async (id) => {
      const program = AGENT_PROGRAMS[id];
      const found = findProgram(program, { path: request.env["PATH"], cwd: request.cwd });
      const path = found.kind === "found" ? found.path : null;
      const { version, problem } =
        path === null ? { version: null, problem: null } : await askVersion(path, request, signal);
      return {
        id,
        program,
        path,
        version,
        problem,
        standing: coverageOf(id, version),
        newestRecorded: newestRecorded(id),
        credentials: findCredentials(id, request.env),
        behaviours: path === null ? [] : behavioursOf(id, version),
      };
    }),
  );
}
