import { readFileSync } from "node:fs";
import { fieldsOf } from "@claw/contract";
import type { ClaudeCall } from "./claude-call.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The settings that a command line names: a file, or JSON itself. */
export function readSettings(given: string | undefined): Fields {
  if (given === undefined) return {};
  try {
    return fieldsOf(JSON.parse(given.trimStart().startsWith("{") ? given : readFileSync(given, "utf8")));
  } catch {
    // The real Claude Code also starts without unreadable settings.
    return {};
  }
}

/** Whether commands run unasked because a sandbox lets them write to the workspace. */
function isSandboxed(settings: Fields): boolean {
  const { enabled, autoAllowBashIfSandboxed, filesystem } = fieldsOf(settings["sandbox"]);
  return enabled === true && autoAllowBashIfSandboxed === true && fieldsOf(filesystem)["denyWrite"] === undefined;
}

/**
 * Whether the command line lets a tool run without permission. A sandbox that keeps commands from writing is played as
 * a refusal.
 */
export function mayUse({ permissionMode, allowedTools, settings: given }: ClaudeCall, tool: string): boolean {
  if (permissionMode === "bypassPermissions") return true;
  const settings = readSettings(given);
  const { ask } = fieldsOf(settings["permissions"]);
  if (Array.isArray(ask) && ask.includes(tool)) return false;
  if (permissionMode === "acceptEdits" && (tool === "Write" || tool === "Edit")) return true;
  return allowedTools.includes(tool) || (tool === "Bash" && isSandboxed(settings));
}
