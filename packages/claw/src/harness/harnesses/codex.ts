import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { CODEX_RULES } from "./codex/codex-rules.ts";
import { endCodex, translateCodex } from "./codex/translate-codex.ts";

const DEFAULT_MODEL = "gpt-5-codex";
const SANDBOX = "workspace-write";

/** Which credentials Codex will find; a label, never a secret. */
function authSource({ env, loggedIn }: RunRequest): string {
  const named = ["CODEX_API_KEY", "OPENAI_API_KEY"].find((name) => (env[name] ?? "") !== "");
  return named ?? (loggedIn ? "cached" : "unknown");
}

function command(request: RunRequest): SpawnSpec {
  const { prompt, lastMessagePath } = request;
  const model = request.model ?? DEFAULT_MODEL;
  const auth = authSource(request);
  const lastMessage = lastMessagePath === null ? [] : ["--output-last-message", lastMessagePath];
  const flags = ["--skip-git-repo-check", "-s", SANDBOX, "-m", model];
  return {
    argv: [request.program ?? "codex", "exec", "--json", ...lastMessage, ...flags, "-"],
    stdin: prompt,
    dialogue: false,
    metadata: {
      sandbox_mode: SANDBOX,
      auth_source: auth,
      last_message_path: lastMessagePath ?? "",
      turn_count: 0,
      model,
    },
    diagnostics: [`codex sandbox=${SANDBOX}`, `codex auth=${auth}`],
  };
}

/** Codex, run with `exec --json`; also the events of its app-server are understood. */
export const codex: Harness = {
  id: "codex",
  command,
  translate: translateCodex,
  end: endCodex,
  isStreamMessage: () => false,
  rules: () => CODEX_RULES,
};
