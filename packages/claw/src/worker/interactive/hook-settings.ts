import type { WorkerJob } from "@claw/contract";
import { LIMITS } from "@claw/contract";

/** How long an agent waits for the worker to read a report. */
const HEARD_SECONDS = 10;
/** Added to the time allowed for an answer, so that the hook does not time out before the question does. */
const ANSWER_MORE_SECONDS = 60;

/** Events of Claude Code that show its activity; tool events need a matcher. */
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

/** Quotes a word for a shell. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Settings of Claude Code that make the agent report its activity to a socket. */
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
