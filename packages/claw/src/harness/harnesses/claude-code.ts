import { claudeSettings, LIMITS, permissionRow, stripAnsi } from "claw-contract";
import { AGENT_PROGRAMS } from "../agent-programs.ts";
import { toLines } from "../harness.ts";
import type { Harness, RunRequest, SpawnSpec } from "../harness.ts";
import { flushAllPieces } from "../stream/stream-state.ts";
import { createClaudeDialogue, openClaudeDialogue } from "./claude-code/claude-dialogue.ts";
import { isClaudeMessage, isClaudePiece, translateClaude } from "./claude-code/translate-claude.ts";
import { CLAUDE_WORDS } from "../result/classify.ts";
import type { StreamRules } from "../stream/stream-rules.ts";

/** What Claude Code says of a sandbox that cannot start, for example because a program is missing. */
const NO_SANDBOX = /Sandbox disabled: (.+)/;

const stderrWarnings = (stderr: string): readonly string[] => {
  const [, why] = NO_SANDBOX.exec(stderr) ?? [];
  return why === undefined
    ? []
    : [`sandbox: Claude Code runs without its sandbox, so commands need permission: ${why}`];
};

const CLAUDE_RULES: StreamRules = {
  streamName: "stream-json",
  announcesEnd: true,
  brokenOff: null,
  hangHeuristic: true,
  failureWords: CLAUDE_WORDS,
  cutMark: " ... (truncated)",
  alwaysTellsStderr: false,
  filterStderr: stripAnsi,
  causeIn: (stderr) => stderr,
  stderrWarnings,
  denialsIn: () => [],
  isEvent: (native) => native["type"] !== undefined,
  eventOf: (native) => native,
  countsTurns: false,
  metadata: () => ({}),
  maxEventChars: Infinity,
};

const STREAM = ["--output-format", "stream-json", "--verbose"] as const;
const PIECES = ["--include-partial-messages"] as const;
const DIALOGUE = ["--input-format", "stream-json", "--permission-prompt-tool", "stdio"] as const;

const withSkill = ({ prompt, skill }: RunRequest): string =>
  skill === null ? prompt : prompt === "" ? `/${skill}` : `/${skill} ${prompt}`;

/** Whether a prompt can be an argument: not too long for the system, and not taken for a flag. */
const fitsArgument = (prompt: string): boolean =>
  Buffer.byteLength(prompt) <= LIMITS.promptArgumentBytes && !prompt.startsWith("-") && !prompt.includes("\0");

/** What Claude Code is told about permissions. */
function permissionFlags({ permissionMode, dialogue, cwd }: RunRequest): readonly string[] {
  const { claudeCode: ways } = permissionRow(permissionMode);
  const permissions = dialogue ? ways.dialogue : ways.headless;
  const settings = claudeSettings(permissions, cwd);
  return [
    ...(permissions.mode === null ? [] : ["--permission-mode", permissions.mode]),
    ...(settings === null ? [] : ["--settings", JSON.stringify(settings)]),
  ];
}

/** Flags for the model and the resumed conversation, the same with and without a dialogue. */
const choices = ({ model, resume }: RunRequest): readonly string[] => [
  ...(model === null ? [] : ["--model", model]),
  ...(resume === undefined ? [] : ["--resume", resume]),
];

/** The command of a program that takes the flags of Claude Code, with its own flags for permissions. */
export function claudeCommand(request: RunRequest, permissions = permissionFlags(request)): SpawnSpec {
  const prompt = withSkill(request);
  const chosen = [...choices(request), ...permissions];
  const { model, permissionMode } = request;
  const metadata = { model, ...(permissionMode === undefined ? {} : { permission_mode: permissionMode }) };
  const stream = request.pieces === true ? [...STREAM, ...PIECES] : STREAM;
  const program = request.program ?? [AGENT_PROGRAMS["claude-code"]];
  if (request.dialogue) {
    const live = request.live === true ? ["--replay-user-messages"] : [];
    const argv = [...program, "-p", ...chosen, ...DIALOGUE, ...stream, ...live] as const;
    return { argv, stdin: toLines(openClaudeDialogue(prompt)), dialogue: true, metadata, diagnostics: [] };
  }
  const isArgument = fitsArgument(prompt);
  const argv = [...program, "-p", ...(isArgument ? [prompt] : []), ...chosen, ...stream] as const;
  return { argv, stdin: isArgument ? null : prompt, dialogue: false, metadata, diagnostics: [] };
}

/** Claude Code, run with `-p` and stream-json. */
export const claudeCode: Harness = {
  id: "claude-code",
  command: (request) => claudeCommand(request),
  dialogue: createClaudeDialogue,
  translate: translateClaude,
  end: flushAllPieces,
  isStreamMessage: isClaudeMessage,
  isPiece: isClaudePiece,
  rules: () => CLAUDE_RULES,
};
