import type { FakeScenario } from "claw-contract";
import { readFlags, flagTable } from "../read-flags.ts";
import type { EarlyAnswer } from "../stage.ts";

/** Every flag of `claude` 2.1.325, those it does not show in its help too. The last spelling is the main one. */
const CLAUDE_FLAGS = flagTable({
  none: `
    -p --print, --verbose, -v --version, -h --help, --bare, --brief, --chrome, --no-chrome, -c --continue, --desktop,
    --ide, --tmux, --restricted, --safe-mode, --fork-session, --strict-mcp-config, --replay-user-messages,
    --include-partial-messages, --include-hook-events, --forward-subagent-text, --no-session-persistence,
    --dangerously-skip-permissions, --allow-dangerously-skip-permissions, --disable-slash-commands, --ax-screen-reader,
    --bg --background, --exclude-dynamic-system-prompt-sections, --debug-to-stderr, --enable-auto-mode, --init,
    --init-only, --maintenance, --session-mirror, --plan-mode-required, --prefill, --deep-link-origin`,
  one: `
    --model, --output-format, --input-format, --permission-mode, --permission-prompt-tool, --permission-prompts,
    --session-id, --max-turns, --max-budget-usd, --json-schema, --agent, --agents, --append-system-prompt,
    --append-system-prompt-file, --system-prompt, --system-prompt-file, --system-prompt-snapshot, --autocompact,
    --debug-file, --effort, --environment, --fallback-model, -n --name, --plugin-dir, --plugin-url,
    --remote-control-session-name-prefix, --setting-sources, --settings, --max-thinking-tokens, --resume-session-at,
    --task-budget, --thinking, --thinking-display, --sdk-url, --rewind-files, --teammate-mode, --managed-settings,
    --workload, --agent-id, --agent-name, --team-name, --agent-color, --parent-session-id, --agent-type, --advisor`,
  maybe: `
    -r --resume, -d --debug, --cloud, --from-pr, --prompt-suggestions, --remote-control, --remote, --teleport,
    -w --worktree`,
  many: `
    --allowed-tools --allowedTools, --disallowed-tools --disallowedTools, --tools, --add-dir, --mcp-config, --betas,
    --file, --channels`,
});

/** What a command line asks of `claude`. */
export interface ClaudeCall {
  readonly prompt: string | undefined;
  /** Whether the CLI prints its work, instead of using a terminal. */
  readonly prints: boolean;
  /** A file, or JSON itself. */
  readonly settings: string | undefined;
  readonly outputFormat: "text" | "json" | "stream-json";
  readonly streamsInput: boolean;
  readonly partialMessages: boolean;
  readonly forwardsSubAgents: boolean;
  /** Whether permissions and questions are asked on the stream. */
  readonly asks: boolean;
  readonly model: string | undefined;
  readonly sessionId: string | undefined;
  /** Whether the call resumes an earlier conversation. */
  readonly resumes: boolean;
  readonly permissionMode: string;
  readonly allowedTools: readonly string[];
}

export const CLAUDE_VERSION = "2.1.325";

const HELP = `Usage: claude [options] [prompt]

A stand-in for Claude Code ${CLAUDE_VERSION}, played by: claw fake-agent claude --scenario NAME
It plays -p (--print) in all formats, two-way stream-json with --permission-prompt-tool stdio, and a terminal.
`;

const usageError = (text: string): EarlyAnswer => ({ to: "stderr", text: `${text}\n`, code: 1 });

type Flags = ReadonlyMap<string, readonly string[]>;

const CHOICES = {
  "--output-format": ["text", "json", "stream-json"],
  "--input-format": ["text", "stream-json"],
} as const;

function wrongChoice(flags: Flags): EarlyAnswer | undefined {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = flags.get(name)?.at(-1);
    if (value === undefined || (choices as readonly string[]).includes(value)) continue;
    const allowed = `Allowed choices are ${choices.join(", ")}.`;
    return usageError(`error: option '${name} <format>' argument '${value}' is invalid. ${allowed}`);
  }
  return undefined;
}

function wrongMix(flags: Flags): EarlyAnswer | undefined {
  const output = flags.get("--output-format")?.at(-1);
  if (output === "stream-json" && !flags.has("--verbose")) {
    return usageError("Error: When using --print, --output-format=stream-json requires --verbose");
  }
  if (flags.get("--input-format")?.at(-1) === "stream-json" && output !== "stream-json") {
    return usageError("Error: --input-format=stream-json requires output-format=stream-json.");
  }
  return undefined;
}

function callOf(flags: Flags, words: readonly string[]): ClaudeCall {
  const value = (name: string): string | undefined => flags.get(name)?.at(-1);
  const skips = flags.has("--dangerously-skip-permissions");
  return {
    prompt: words[0],
    prints: flags.has("--print"),
    settings: value("--settings"),
    outputFormat: (value("--output-format") ?? "text") as ClaudeCall["outputFormat"],
    streamsInput: value("--input-format") === "stream-json",
    partialMessages: flags.has("--include-partial-messages"),
    forwardsSubAgents: flags.has("--forward-subagent-text"),
    asks: value("--permission-prompt-tool") === "stdio",
    model: value("--model"),
    sessionId: value("--session-id") ?? value("--resume"),
    resumes: flags.has("--resume"),
    permissionMode: skips ? "bypassPermissions" : (value("--permission-mode") ?? "default"),
    allowedTools: (flags.get("--allowedTools") ?? []).flatMap((list) => list.match(/(?:\([^()]*\)|[^\s,])+/g) ?? []),
  };
}

/** Reads a command line as `claude` does, with the same refusals in the same words. */
export function readClaudeCall(
  argv: readonly string[],
  { unknown_flags }: FakeScenario,
  onTerminal: boolean,
): ClaudeCall | EarlyAnswer {
  const { flags, words, unknown } = readFlags(argv, CLAUDE_FLAGS);
  if (flags.has("--version")) return { to: "stdout", text: `${CLAUDE_VERSION} (Claude Code)\n`, code: 0 };
  if (flags.has("--help")) return { to: "stdout", text: HELP, code: 0 };
  if (unknown !== undefined && unknown_flags !== "accept") return usageError(`error: unknown option '${unknown}'`);
  const prints = flags.has("--print");
  if (!prints && !onTerminal) return usageError("claw fake-agent: without -p (--print) claude needs a terminal");
  return wrongChoice(flags) ?? (prints ? wrongMix(flags) : undefined) ?? callOf(flags, words);
}
