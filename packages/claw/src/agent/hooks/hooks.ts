import type { JsonObject } from "@claw/contract";

export const HOOK_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart", "Stop"] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What hooks are told. It goes to each of them as JSON on stdin. */
export interface HookOccasion {
  readonly event: HookEvent;
  /** What matchers are compared with: the tool's name; empty for events without a tool. */
  readonly subject: string;
  readonly fields: JsonObject;
}

/** What the hooks of one occasion come to, in the order they are configured. */
export interface HookVerdict {
  /**
   * Why the occasion was refused; null when no hook did. Before a tool: it does not run. After it: its result becomes an
   * error with this beside it. At the end of a turn: the model goes on, and this is what it is told as the user's words.
   * At the start of a session: it does not start.
   */
  readonly blocked: string | null;
  /** What they decide about permission; the strictest wins. */
  readonly permission: { readonly decision: "allow" | "ask" | "deny"; readonly reason: string } | null;
  /** The input the tool is to get instead. */
  readonly updatedInput: JsonObject | null;
  /** What the model is to be told besides. */
  readonly context: readonly string[];
  /** What people are to be told: system messages, hooks that failed or gave no JSON. */
  readonly messages: readonly string[];
}

export interface Hooks {
  /** Runs every hook that matches. Never rejects but with the signal's reason; one that fails blocks before a tool. */
  run(occasion: HookOccasion, signal: AbortSignal): Promise<HookVerdict>;
}
