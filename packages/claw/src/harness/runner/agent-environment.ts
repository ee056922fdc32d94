import type { Environment, HarnessId } from "claw-contract";

export interface EnvironmentWishes {
  readonly harness: HarnessId;
  /** Variables set last, so that the caller can restore removed variables. */
  readonly extra: Readonly<Record<string, string>>;
  /** Run on a login instead of a key. */
  readonly noApiKey: boolean;
  /** Let Claude Code finish all tasks before its result: background tasks are disabled. */
  readonly syncTasks: boolean;
}

/**
 * Variables that tell the agent's child processes about its session. Another agent would take the session for its own.
 */
const SESSION_VARIABLES: ReadonlySet<string> = new Set([
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_HOST_SESSION_ID",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_SESSION_ID",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PID",
  "CODEX_THREAD_ID",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
]);

/**
 * Inside a session of Claude Code, all variables with this prefix belong to the session, except for logins and users'
 * settings.
 */
const SESSION_PREFIX = "CLAUDE_CODE_";
const KEPT_INSIDE =
  /^CLAUDE_CODE_(?:OAUTH_|API_|USE_|SKIP_|DISABLE_|ENABLE_|MAX_|CLIENT_|PROXY_|TMPDIR$|SUBAGENT_MODEL$|EFFORT_LEVEL$|GIT_BASH_PATH$|SHELL)/;

/** Keys that would be used before a login. In Codex's variables the case does not count. */
const KEYS: Readonly<Record<"claude" | "codex", RegExp>> = {
  claude: /^(?:ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|OPENAI_API_KEY)$/,
  codex: /^(?:CODEX_API_KEY|OPENAI_API_KEY|OPENAI_BASE_URL)$/i,
};

/** The environment an agent is started with: ours, without what belongs to another agent's session. */
export function agentEnvironment(inherited: Environment, wishes: EnvironmentWishes): Environment {
  const { harness, extra, noApiKey, syncTasks } = wishes;
  const isInside = (inherited["CLAUDECODE"] ?? "") !== "";
  const keys = KEYS[harness === "codex" ? "codex" : "claude"];
  const isTaken = (name: string): boolean =>
    SESSION_VARIABLES.has(name) ||
    (isInside && name.startsWith(SESSION_PREFIX) && !KEPT_INSIDE.test(name)) ||
    (noApiKey && keys.test(name));
  const kept = Object.entries(inherited).filter(([name, value]) => value !== undefined && !isTaken(name));
  return {
    ...Object.fromEntries(kept),
    ...(syncTasks ? { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } : {}),
    ...extra,
  };
}
