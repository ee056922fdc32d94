import { PERMISSION_MODES } from "claw-contract";
import type { PermissionMode } from "claw-contract";
import { judgeCommand } from "./judge-command.ts";
import type { JudgeOptions, ModeAnswer, Judge, Need, PermissionRequest, PermissionVerdict } from "./permission.ts";
import { permissionRuleFits } from "./match-rule.ts";
import type { Rule, RuleList } from "./rules.ts";
import { keepsPrivate, meansPrivate } from "./private-places.ts";
import { canonicalToolName } from "./tool-names.ts";
import { isProtected } from "./protected-places.ts";
import { isInWorkspace } from "./workspace.ts";

const rank = (mode: PermissionMode): number => PERMISSION_MODES.indexOf(mode);
const may = (reason: string): ModeAnswer => ({ allowed: true, reason, exceptional: false });
const mayNot = (reason: string, exceptional = false): ModeAnswer => ({ allowed: false, reason, exceptional });

function modeAnswerForPaths(need: Need & { kind: "read" | "write" }, { mode, workspace }: JudgeOptions): ModeAnswer {
  const word = need.kind === "read" ? "reading" : "writing";
  const outside = need.paths.find((path) => !isInWorkspace(path, workspace));
  if (outside !== undefined) return mayNot(`${word} ${outside}, which is outside of the workspace`, true);
  if (need.kind === "read") return may(`${word} in the workspace`);
  const guarded = need.paths.find((path) => isProtected(path, workspace));
  if (guarded !== undefined) return mayNot(`${word} ${guarded}, which is protected`, true);
  return mode === "read-only" ? mayNot(`${word} in the workspace`) : may(`${word} in the workspace`);
}

function modeAnswerOf({ tool, need }: PermissionRequest, options: JudgeOptions): ModeAnswer {
  if (options.mode === "danger-full-access") return may("everything is allowed");
  switch (need.kind) {
    case "nothing":
      return may("it touches nothing");
    case "read":
    case "write":
      return modeAnswerForPaths(need, options);
    case "network":
      return mayNot(`reaching ${need.url}`);
    case "foreign": {
      const reason = `${tool}, which asks for ${need.mode}`;
      return rank(need.mode) <= rank(options.mode) ? may(reason) : mayNot(reason);
    }
    case "command":
      return judgeCommand(need, options);
  }
}

function denyVerdict(reason: string, rule: string | null = null): PermissionVerdict {
  return { decision: "deny", reason, rule };
}

/** A rule without content allows the ordinary calls of a tool. An exceptional call needs a rule with content. */
function opens(rule: Rule, { exceptional }: ModeAnswer): boolean {
  return !exceptional || rule.content !== null;
}

/** The reason to deny a call in any mode and under any rules: it reaches claw's own files. Null when there is none. */
function findPrivate({ need }: PermissionRequest, options: JudgeOptions): string | null {
  const { workspace } = options;
  if (need.kind === "read" || need.kind === "write") {
    const path = need.paths.find(keepsPrivate(workspace));
    return path === undefined ? null : `${path} is claw's own, which no tool may reach`;
  }
  if (need.kind !== "command") return null;
  const isConfined = !need.unconfined && options.mode !== "danger-full-access" && options.sandbox() !== null;
  if (isConfined || !meansPrivate(need.command, workspace)) return null;
  return "the command names files of claw's own, which no tool may reach";
}

function judge(request: PermissionRequest, options: JudgeOptions): PermissionVerdict {
  const { rules, workspace, mode } = options;
  const name = canonicalToolName(request.tool);
  const { allowedTools } = options;
  if (allowedTools !== undefined && !allowedTools.some((allowed) => canonicalToolName(allowed) === name)) {
    return denyVerdict(`${request.tool} is not among the tools this run may use`);
  }
  const kept = findPrivate(request, options);
  if (kept !== null) return denyVerdict(kept);
  const find = (list: RuleList): Rule | undefined =>
    rules[list].find((rule) => permissionRuleFits(rule, list, request, workspace));
  const denying = find("deny");
  if (denying !== undefined) return denyVerdict(`the rule ${denying.text} denies it`, denying.text);
  if (request.need.kind === "command" && options.isSandboxRequired === true && options.sandbox() === null) {
    return denyVerdict("commands may only run in the sandbox, and there is none");
  }
  const asking = find("ask");
  if (asking !== undefined) {
    return { decision: "ask", reason: `the rule ${asking.text} wants it to be asked`, rule: asking.text };
  }
  const answer = modeAnswerOf(request, options);
  if (answer.allowed) return { decision: "allow", reason: `${mode} allows ${answer.reason}`, rule: null };
  const allowing = rules.allow.find(
    (rule) => opens(rule, answer) && permissionRuleFits(rule, "allow", request, workspace),
  );
  if (allowing !== undefined) {
    return { decision: "allow", reason: `the rule ${allowing.text} allows it`, rule: allowing.text };
  }
  return {
    decision: "ask",
    reason: `${request.tool} needs ${answer.reason}; ${mode} does not allow that`,
    rule: null,
  };
}

/**
 * Judges calls by rules and mode. First, tools outside of `allowedTools` and claw's own files are denied. Then a `deny`
 * rule denies, an `ask` rule asks, the mode allows, an `allow` rule allows. Any other call is a question to a person.
 */
export function createJudge(options: JudgeOptions): Judge {
  return { mode: options.mode, judge: (request) => judge(request, options) };
}
