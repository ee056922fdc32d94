import type { JsonObject } from "claw-contract";
import { cutChars, isObject, LIMITS } from "claw-contract";
import type { HookEvent, HookVerdict } from "./hooks.ts";

/** How the program of a hook ended. */
export type HookEnd =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** The program did not start, was ended by a signal, or took too long; `why` says which. */
  | { readonly kind: "failed"; readonly why: string };

/** The exit with which a hook refuses. */
const REFUSED = 2;

export const NO_VERDICT: HookVerdict = {
  blocked: null,
  permission: null,
  updatedInput: null,
  context: [],
  messages: [],
};

const bounded = (text: string): string => cutChars(text.trim(), LIMITS.hookTextChars);

/** The first candidate that is a text and not blank, cut to the limit; null when there is none. */
function firstText(...candidates: unknown[]): string | null {
  const found = candidates.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? bounded(found) : null;
}

const texts = (...candidates: unknown[]): string[] => candidates.flatMap((value) => firstText(value) ?? []);

/** A hook that fails before a tool call blocks the call. A hook that fails at another event only gives a message. */
function failedHook(event: HookEvent, why: string): HookVerdict {
  return event === "PreToolUse" ? { ...NO_VERDICT, blocked: why } : { ...NO_VERDICT, messages: [why] };
}

type Decision = NonNullable<HookVerdict["permission"]>["decision"];

const isDecision = (value: unknown): value is Decision => value === "allow" || value === "ask" || value === "deny";

/**
 * The permission that a hook's answer states. A value that is none of the three decisions becomes `ask`: a person
 * decides.
 */
function permissionOf(answer: JsonObject, specific: JsonObject): Pick<HookVerdict, "permission" | "messages"> {
  const stated = specific["permissionDecision"] ?? (answer["decision"] === "approve" ? "allow" : undefined);
  if (stated === undefined) return { permission: null, messages: [] };
  const reason = firstText(specific["permissionDecisionReason"], answer["reason"]) ?? "a hook decided";
  if (isDecision(stated)) return { permission: { decision: stated, reason }, messages: [] };
  const problem = "hook_invalid_json: permissionDecision must be allow, ask or deny";
  return { permission: { decision: "ask", reason }, messages: [problem] };
}

/** At the end of a turn `continue: false` asks for the end that is coming anyway. */
function refuses(event: HookEvent, answer: JsonObject): boolean {
  return answer["decision"] === "block" || (answer["continue"] === false && event !== "Stop");
}

function readAnswer(event: HookEvent, answer: JsonObject): HookVerdict {
  const specific = isObject(answer["hookSpecificOutput"]) ? answer["hookSpecificOutput"] : {};
  const before = event === "PreToolUse";
  const { permission, messages } = before ? permissionOf(answer, specific) : { permission: null, messages: [] };
  const blocked = refuses(event, answer)
    ? (firstText(
        answer["reason"],
        answer["stopReason"],
        specific["permissionDecisionReason"],
        answer["systemMessage"],
      ) ?? "a hook refused it")
    : null;
  const updated = specific["updatedInput"];
  const isRemark = blocked === null && permission === null;
  return {
    blocked,
    permission,
    updatedInput: before && isObject(updated) ? (updated satisfies JsonObject) : null,
    context: texts(specific["additionalContext"]),
    messages: [...messages, ...texts(answer["systemMessage"], isRemark ? answer["reason"] : undefined)],
  };
}

/** Output that is no JSON is a remark: for the model when a session starts, otherwise for people. */
function readOutput(event: HookEvent, stdout: string): HookVerdict {
  const text = stdout.trim();
  if (text === "") return NO_VERDICT;
  if (!text.startsWith("{")) {
    return event === "SessionStart"
      ? { ...NO_VERDICT, context: texts(text) }
      : { ...NO_VERDICT, messages: texts(text) };
  }
  try {
    return readAnswer(event, JSON.parse(text) as JsonObject);
  } catch {
    // The message does not repeat the output: half a JSON text helps no reader.
    const why = text.length >= LIMITS.hookOutputBytes ? "it is too long" : "it does not parse";
    return {
      ...NO_VERDICT,
      messages: [`hook_invalid_json: the output of a hook for ${event} begins like JSON, and ${why}`],
    };
  }
}

/** The verdict of one hook, from how its program ended. `name` is the hook's name in messages. */
export function readHookEnd(event: HookEvent, end: HookEnd, name: string): HookVerdict {
  if (end.kind === "failed") return failedHook(event, `${name} ${end.why}`);
  if (end.code === 0) return readOutput(event, end.stdout);
  const said = firstText(end.stderr, end.stdout);
  if (end.code === REFUSED) return { ...NO_VERDICT, blocked: said ?? `${name} refused it` };
  return failedHook(event, `${name} failed: exit ${end.code}${said === null ? "" : `: ${said}`}`);
}

const STRICTNESS: readonly Decision[] = ["allow", "ask", "deny"];

function stricter(left: HookVerdict["permission"], right: HookVerdict["permission"]): HookVerdict["permission"] {
  if (left === null || right === null) return left ?? right;
  return STRICTNESS.indexOf(right.decision) > STRICTNESS.indexOf(left.decision) ? right : left;
}

/** Joins the verdicts of two hooks; `first` is the verdict of the hook that ran earlier. */
export function combine(first: HookVerdict, second: HookVerdict): HookVerdict {
  return {
    blocked: first.blocked ?? second.blocked,
    permission: stricter(first.permission, second.permission),
    updatedInput: second.updatedInput ?? first.updatedInput,
    context: [...first.context, ...second.context],
    messages: [...first.messages, ...second.messages],
  };
}
