import type { JsonObject, Settings } from "claw-contract";
import { cutChars, fitsStars } from "claw-contract";
import { combine, NO_VERDICT, readHookEnd } from "./hook-answer.ts";
import type { HookOccasion, Hooks, HookVerdict } from "./hooks.ts";
import type { ConfiguredHook } from "./read-hooks.ts";
import { runHook } from "./run-hook.ts";
import { findTool } from "../tools/create-tools.ts";
import type { AnyTool } from "../tools/tool.ts";
import { readHooks } from "./read-hooks.ts";

/** `*` stands for any text. `.*` does too, since some people write a matcher as a regular expression. */
const fits = (name: string, candidate: string): boolean =>
  fitsStars(name.replaceAll(".*", "*").toLowerCase(), candidate.toLowerCase());

/** Whether a matcher, a list of names with commas or bars between them, means a tool that goes by any of `names`. */
export function matchesTool(matcher: string, names: readonly string[]): boolean {
  const wanted = matcher.split(/[,|]/).map((name) => name.trim());
  if (wanted.every((name) => name === "")) return true;
  return wanted.some((name) => name !== "" && names.some((candidate) => fits(name, candidate)));
}

/** Characters of a variable that a hook gets; the full value is on the hook's stdin. */
const HOOK_VARIABLE_CHARS = 16 * 1024;

export interface HookSurroundings {
  readonly cwd: string;
  /** The user's whole environment: hooks are the user's own programs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string;
  /** Other names of a tool, which matchers may use. */
  readonly aliasesOf?: (tool: string) => readonly string[];
}

/** The system refuses environment variables that are too long or hold a NUL. */
const variable = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
    .replaceAll("\0", "")
    .slice(0, HOOK_VARIABLE_CHARS);

function variablesOf({ event, subject, fields }: HookOccasion): Record<string, string> {
  return {
    HOOK_EVENT: event,
    HOOK_TOOL_NAME: variable(subject),
    HOOK_TOOL_INPUT: variable(fields["tool_input_json"] ?? fields["tool_input"]),
    HOOK_TOOL_OUTPUT: variable(fields["tool_output"] ?? fields["tool_error"]),
    HOOK_TOOL_IS_ERROR: fields["tool_result_is_error"] === true ? "1" : "0",
  };
}

/** The next hook gets the input as the hook before changed it. */
function withInput(occasion: HookOccasion, input: JsonObject | null): HookOccasion {
  if (input === null) return occasion;
  const changed = { tool_input: input, tool_input_json: JSON.stringify(input) };
  return { ...occasion, fields: { ...occasion.fields, ...changed } };
}

/** A hook as messages name it: the event and the first line of the command. */
function hookName({ event, command }: ConfiguredHook): string {
  const [line = ""] = command.trim().split("\n");
  return `the ${event} hook \`${cutChars(line, 80)}\``;
}

/** Runs the hooks of the settings, one after the other. After a hook that refuses, no further hook runs. */
export function createHooks(hooks: readonly ConfiguredHook[], surroundings: HookSurroundings): Hooks {
  const { cwd, env, sessionId, aliasesOf = () => [] } = surroundings;
  const runOne = async (hook: ConfiguredHook, occasion: HookOccasion, signal: AbortSignal): Promise<HookVerdict> => {
    const { event, subject, fields } = occasion;
    const toolName = subject === "" ? {} : { tool_name: subject };
    const input = JSON.stringify({ hook_event_name: event, session_id: sessionId, cwd, ...toolName, ...fields });
    const { command, timeoutMs } = hook;
    const request = { command, cwd, timeoutMs, input, env: { ...env, ...variablesOf(occasion) } };
    return readHookEnd(event, await runHook(request, signal), hookName(hook));
  };
  return {
    run: async (occasion, signal) => {
      const names = [occasion.subject, ...aliasesOf(occasion.subject)];
      const wanted = hooks.filter(
        ({ event, matcher }) => event === occasion.event && (occasion.subject === "" || matchesTool(matcher, names)),
      );
      let verdict = NO_VERDICT;
      for (const hook of wanted) {
        if (verdict.blocked !== null) break;
        verdict = combine(verdict, await runOne(hook, withInput(occasion, verdict.updatedInput), signal));
      }
      return verdict;
    },
  };
}

/** For an agent without hooks: runs no program and gives an empty verdict. */
export const NO_HOOKS: Hooks = { run: () => Promise.resolve(NO_VERDICT) };

interface HookSources {
  readonly settings: Settings;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All tools of the agent. Matchers choose tools by name and alias. */
  readonly tools: () => readonly AnyTool[];
}

/** The hooks of the settings, and sentences for people about those without effect. */
export function openHooks({ settings, cwd, env, tools }: HookSources): {
  readonly hooks: Hooks;
  readonly problems: readonly string[];
  /** Whether the settings name any. */
  readonly isAny: boolean;
} {
  const { hooks, problems } = readHooks(settings.hooks);
  const aliasesOf = (name: string): readonly string[] => findTool(tools(), name)?.aliases ?? [];
  return {
    hooks: createHooks(hooks, { cwd, env, sessionId: "", aliasesOf }),
    problems: problems.map(({ message }) => `Hook without effect: ${message}.`),
    isAny: hooks.length > 0,
  };
}
