import type { JsonObject } from "claw-contract";

export const HOOK_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart", "Stop"] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** The event for which hooks run, and its data. Each hook gets both as JSON on stdin. */
export interface HookOccasion {
  readonly event: HookEvent;
  /** The tool's name, which matchers are compared with; empty for events without a tool. */
  readonly subject: string;
  readonly fields: JsonObject;
}

/** The verdicts of all hooks of one event, joined in the order of the settings. */
export interface HookVerdict {
  /**
   * Why a hook refused; null when no hook did. Before a tool call, the tool does not run. After a tool call, the result
   * becomes an error and this text is added to the result. At the end of a turn, the model goes on and gets this text
   * as a message of the user. At the start of a session, the session does not start.
   */
  readonly blocked: string | null;
  /** The strictest decision of the hooks about permission; null when no hook decided. */
  readonly permission: { readonly decision: "allow" | "ask" | "deny"; readonly reason: string } | null;
  /** The input that replaces the model's input; null when no hook changed the input. */
  readonly updatedInput: JsonObject | null;
  /** Further texts for the model. */
  readonly context: readonly string[];
  /** Texts for people: system messages, failures of hooks, output that is no JSON. */
  readonly messages: readonly string[];
}

export interface Hooks {
  /**
   * Runs the hooks that match, until one blocks. Rejects only with the signal's reason. A hook that fails before a tool
   * call blocks the call.
   */
  run(occasion: HookOccasion, signal: AbortSignal): Promise<HookVerdict>;
}
