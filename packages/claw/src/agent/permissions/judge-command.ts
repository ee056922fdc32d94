import type { JudgeOptions, ModeAnswer, Need } from "./permission.ts";
import { permissionRuleFits } from "./match-rule.ts";
import { keepsPrivate } from "./private-places.ts";
import { concernsTool, keepsFiles } from "./rules.ts";
import { segmentFits } from "./shell/match-command.ts";
import type { Segment } from "./shell/split-command.ts";
import { splitCommand } from "./shell/split-command.ts";
import { vetLine } from "./shell/vet-line.ts";
import type { VetContext } from "./shell/vet-paths.ts";

/** Whether a `deny` or `ask` rule names commands. Then a line whose words cannot be read could fall under the rule. */
function mayBeRestricted({ rules }: JudgeOptions): boolean {
  return [...rules.deny, ...rules.ask].some((rule) => rule.content !== null && concernsTool(rule, "bash", "deny"));
}

/** Programs that show or move files which the command line does not name. */
const FINDERS = new Set(["grep", "rg", "git", "cp", "mv"]);

/** Tells which files the rules keep from being read or written; null when they keep none. */
function keeper({ rules, workspace }: JudgeOptions): NonNullable<VetContext["isKept"]> | null {
  const keeping = [...rules.deny, ...rules.ask].filter((rule) => keepsFiles(rule, "read") || keepsFiles(rule, "write"));
  if (keeping.length === 0) return null;
  return (path, kind) =>
    keeping.some((rule) => {
      const request = { tool: rule.tool, need: { kind, paths: [path] }, subject: path } as const;
      return keepsFiles(rule, kind) && permissionRuleFits(rule, "deny", request, workspace);
    });
}

function modeAnswer(allowed: boolean, reason: string, exceptional = false): ModeAnswer {
  return { allowed, reason, exceptional };
}

/**
 * Whether a command may run without a question to a person. In the sandbox: every line, unless its words could hide
 * from the rules. Without the sandbox: only a line in which each command is known to be harmless or is allowed by a
 * rule.
 */
export function judgeCommand(need: Need & { kind: "command" }, options: JudgeOptions): ModeAnswer {
  const line = splitCommand(need.command);
  if (line.kind === "complex" && line.opaque && mayBeRestricted(options)) {
    return modeAnswer(false, `a command with ${line.why}, in which the rules for commands cannot be told to hold`);
  }
  if (!need.unconfined && options.sandbox() !== null) return modeAnswer(true, "commands in the sandbox");
  const where = need.unconfined ? "a command outside of the sandbox" : "a command without a sandbox";
  if (line.kind === "complex") return modeAnswer(false, `${where}, and it holds ${line.why}`, need.unconfined);
  const isNamed = (segment: Segment): boolean =>
    options.rules.allow.some(
      ({ content, tool }) => content !== null && (tool === "bash" || tool === "*") && segmentFits(content, segment),
    );
  const isKept = keeper(options);
  const isPrivate = keepsPrivate(options.workspace);
  const context = {
    workspace: options.workspace,
    cwd: options.workspace.root,
    isWritable: options.mode !== "read-only",
    isKept: (path: string, kind: "read" | "write"): boolean => isPrivate(path) || isKept?.(path, kind) === true,
  };
  const finder = line.segments.find((segment) => FINDERS.has(segment.words[0]) && !isNamed(segment));
  if (isKept !== null && finder !== undefined) {
    return modeAnswer(false, `${where}: ${finder.words[0]} could find files that the rules keep`, need.unconfined);
  }
  const objection = vetLine(line.segments, context, isNamed);
  if (objection === null) return modeAnswer(true, "commands that are known to be harmless or named by a rule");
  return modeAnswer(false, `${where}: ${objection}`, need.unconfined);
}
