import { describe, expect, test } from "vitest";
import type { EnvironmentWishes } from "./agent-environment.ts";
import { agentEnvironment } from "./agent-environment.ts";

const WISHES: EnvironmentWishes = { harness: "claude-code", extra: {}, noApiKey: false, syncTasks: false };

const names = (env: NodeJS.ProcessEnv, wishes: Partial<EnvironmentWishes> = {}): string[] =>
  Object.keys(agentEnvironment(env, { ...WISHES, ...wishes }));

const filled = (list: string): NodeJS.ProcessEnv => Object.fromEntries(list.split(" ").map((name) => [name, "x"]));

const AUTH =
  "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CONFIG_DIR CODEX_API_KEY CODEX_HOME OPENAI_API_KEY OPENAI_BASE_URL OPENAI_ORG_ID";
const SETTINGS = "PATH HOME CLAUDE_CODE_MAX_RETRIES CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC CLAUDE_CODE_TMPDIR";

describe("inherited variables", () => {
  test("of another agent's session are taken out", () => {
    const session =
      "CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SSE_PORT CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_CODE_SOMETHING_NEW CLAUDE_PROJECT_DIR CODEX_THREAD_ID CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED";
    expect(names(filled(session))).toEqual([]);
  });

  test("for logging in, and what people set, stay", () => {
    const list = `CLAUDECODE ${AUTH} ${SETTINGS}`;
    expect(names(filled(list))).toEqual(list.split(" ").slice(1));
  });

  test("that look like a session's stay where there is none", () => {
    expect(names({ CLAUDE_CODE_SOMETHING_NEW: "x", CLAUDE_CODE_SESSION_ID: "x" })).toEqual([
      "CLAUDE_CODE_SOMETHING_NEW",
    ]);
    expect(names({ CLAUDECODE: "", CLAUDE_CODE_SOMETHING_NEW: "x" })).toEqual(["CLAUDE_CODE_SOMETHING_NEW"]);
  });

  test("can be brought back, and set", () => {
    const env = agentEnvironment(
      { CLAUDECODE: "1", A: "1", B: undefined },
      { ...WISHES, extra: { CLAUDECODE: "2", A: "3" } },
    );
    expect(env).toEqual({ CLAUDECODE: "2", A: "3" });
  });
});

describe("without a key", () => {
  test("Claude Code gets none, of whatever provider", () => {
    expect(names(filled(AUTH), { noApiKey: true })).toEqual(
      "ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CONFIG_DIR CODEX_API_KEY CODEX_HOME OPENAI_BASE_URL OPENAI_ORG_ID".split(
        " ",
      ),
    );
  });

  test("Codex gets none, in whatever case, and no address for one", () => {
    expect(names(filled(`${AUTH} openai_api_key Codex_Api_Key`), { harness: "codex", noApiKey: true })).toEqual(
      "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CONFIG_DIR CODEX_HOME OPENAI_ORG_ID".split(
        " ",
      ),
    );
  });

  test("one that is given by name is still given", () => {
    expect(names({}, { noApiKey: true, extra: { ANTHROPIC_API_KEY: "x" } })).toEqual(["ANTHROPIC_API_KEY"]);
  });
});

test("tasks are done in turn when that is asked for, also with other wishes", () => {
  expect(agentEnvironment({ ANTHROPIC_API_KEY: "x" }, { ...WISHES, noApiKey: true, syncTasks: true })).toEqual({
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  });
});
