import type { WorkerJob } from "@claw/contract";
import { LIMITS } from "@claw/contract";

/** How long an agent waits for its report to be heard. */
const HEARD_SECONDS = 10;
/** What is added to the time in which a question can be answered, so that its end is not the hook's. */
const ANSWER_MORE_SECONDS = 60;

/** Events of Claude Code that say what it does; those of a tool have a matcher. */
const CLAUDE_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "Notification",
  "PreCompact",
  "Stop",
  "StopFailure",
  "SubagentStop",
] as const;

const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
]);

/** A word as a shell reads it. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Settings that let an agent report to a socket what it does. */
export function hookSettings({ hook }: Pick<WorkerJob, "hook">, socket: string) {
  const command = [...hook, socket].map(quote).join(" ");
  const answerSeconds = Math.ceil(LIMITS.approvalMs / 1000) + ANSWER_MORE_SECONDS;
  const entry = (event: string) => {
    const timeout = event === "PermissionRequest" ? answerSeconds : HEARD_SECONDS;
    const hooks = [{ type: "command", command, timeout }];
    return [TOOL_EVENTS.has(event) ? { matcher: "*", hooks } : { hooks }];
  };
  return { hooks: Object.fromEntries(CLAUDE_EVENTS.map((event) => [event, entry(event)])) };
}
