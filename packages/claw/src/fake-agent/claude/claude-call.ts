import type { FakeScenario } from "claw-contract";
import { readFlags } from "../read-flags.ts";
import type { EarlyAnswer } from "../early-answer.ts";
import { CLAUDE_FLAGS } from "./claude-flags.ts";

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
