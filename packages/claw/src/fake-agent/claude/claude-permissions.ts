import { readFileSync } from "node:fs";
import { objectOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { ClaudeCall } from "./claude-call.ts";

/** The settings that a command line names: a file, or JSON itself. */
export function readSettings(given: string | undefined): JsonObject {
  if (given === undefined) return {};
  try {
    return objectOf(JSON.parse(given.trimStart().startsWith("{") ? given : readFileSync(given, "utf8")));
  } catch {
    // The real Claude Code also starts without unreadable settings.
    return {};
  }
}

/** Whether commands run unasked because a sandbox lets them write to the workspace. */
function isSandboxed(settings: JsonObject): boolean {
  const { enabled, autoAllowBashIfSandboxed, filesystem } = objectOf(settings["sandbox"]);
  return enabled === true && autoAllowBashIfSandboxed === true && objectOf(filesystem)["denyWrite"] === undefined;
}

/**
 * Whether the command line lets a tool run without permission. A sandbox that keeps commands from writing is played as
 * a refusal.
 */
export function mayUse({ permissionMode, allowedTools, settings: given }: ClaudeCall, tool: string): boolean {
  if (permissionMode === "bypassPermissions") return true;
  const settings = readSettings(given);
  const { ask } = objectOf(settings["permissions"]);
  if (Array.isArray(ask) && ask.includes(tool)) return false;
  if (permissionMode === "acceptEdits" && (tool === "Write" || tool === "Edit")) return true;
  return allowedTools.includes(tool) || (tool === "Bash" && isSandboxed(settings));
}
