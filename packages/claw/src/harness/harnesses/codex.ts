import { permissionRow } from "claw-contract";
import { toLines } from "../dialogue.ts";
import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { createCodexDialogue, openCodexDialogue } from "./codex/codex-dialogue.ts";
import { CODEX_RULES } from "./codex/codex-rules.ts";
import { recallThread } from "./codex/recall-thread.ts";
import { endCodex, isCodexPiece, translateCodex } from "./codex/translate-codex.ts";

const PROGRAM = "codex";

/** Which credentials Codex will find; a label, never a secret. */
function authSource({ env, loggedIn }: RunRequest): string {
  const named = ["CODEX_API_KEY", "OPENAI_API_KEY"].find((name) => (env[name] ?? "") !== "");
  return named ?? (loggedIn ? "cached" : "unknown");
}

const diagnosticsOf = (sandbox: string, auth: string): readonly string[] => [
  `codex sandbox=${sandbox}`,
  `codex auth=${auth}`,
];

function dialogueCommand(request: RunRequest): SpawnSpec {
  const auth = authSource(request);
  const { sandbox } = permissionRow(request.permissionMode).codex.appServer;
  return {
    argv: [...(request.program ?? ([PROGRAM] as const)), "app-server"],
    stdin: toLines(openCodexDialogue(request.pieces === true)),
    dialogue: true,
    metadata: { sandbox_mode: sandbox, auth_source: auth, turn_count: 0, model: request.model },
    diagnostics: diagnosticsOf(sandbox, auth),
  };
}

function command(request: RunRequest): SpawnSpec {
  if (request.dialogue) return dialogueCommand(request);
  const { prompt, model, lastMessagePath, resume } = request;
  const { sandbox } = permissionRow(request.permissionMode).codex.exec;
  const auth = authSource(request);
  const lastMessage = lastMessagePath === null ? [] : ["--output-last-message", lastMessagePath];
  const flags = ["--skip-git-repo-check", "-s", sandbox, ...(model === null ? [] : ["-m", model])];
  const session = resume === undefined ? [] : ["resume", resume];
  return {
    argv: [...(request.program ?? ([PROGRAM] as const)), "exec", "--json", ...lastMessage, ...flags, ...session, "-"],
    stdin: prompt,
    dialogue: false,
    metadata: {
      sandbox_mode: sandbox,
      auth_source: auth,
      turn_count: 0,
      model,
    },
    diagnostics: diagnosticsOf(sandbox, auth),
  };
}

/** Codex, run with `exec --json`, or in a dialogue as its app-server. */
export const codex: Harness = {
  id: "codex",
  program: PROGRAM,
  // Otherwise the files that guard Codex's sandbox stay behind: .git, .codex, .agents and .aws in every folder a
  // command could write.
  endsCommandsFirst: true,
  command,
  dialogue: ({ prompt, model, cwd, resume = null, permissionMode }) => {
    const permissions = permissionRow(permissionMode).codex.appServer;
    return createCodexDialogue({ prompt, model, cwd, permissions, resume });
  },
  translate: translateCodex,
  end: endCodex,
  isStreamMessage: () => false,
  isPiece: isCodexPiece,
  rules: () => CODEX_RULES,
  recall: recallThread,
};
