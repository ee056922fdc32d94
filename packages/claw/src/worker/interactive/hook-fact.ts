import { textOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { AgentSession } from "./agent-session.ts";

/** Characters that are passed on of each prompt in a report of an agent. */
export const REPORTED_CHARS = 4096;

/** A fact that an agent in a terminal reported. */
export type HookFact =
  /** The agent's conversation, and the path of its transcript if there is one. */
  | { readonly kind: "session"; readonly id: string; readonly transcript: string | null }
  /** The permission mode, in the agent's own words. */
  | { readonly kind: "permission-mode"; readonly mode: string }
  | { readonly kind: "turn-started" }
  | { readonly kind: "tool-started"; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: "tool-ended"; readonly id: string; readonly tool: string; readonly failed: boolean }
  /** The agent waits for a person. */
  | { readonly kind: "waits"; readonly text: string }
  | { readonly kind: "question"; readonly tool: string; readonly input: unknown }
  | { readonly kind: "turn-ended"; readonly text: string | null; readonly limited: boolean }
  /** A turn of a Codex thread ended: the conversation, the thread that finds a title, or a sub-agent. */
  | {
      readonly kind: "thread-ended";
      readonly id: string;
      /** The prompts of the turn, each as far as the hook passed it on. */
      readonly prompts: readonly string[];
      readonly text: string | null;
    }
  | { readonly kind: "active"; readonly text: string };

const orNull = (text: string): string | null => (text.trim() === "" ? null : text);

/** Notifications that only inform people, without waiting for an answer. */
const REMARKS: ReadonlySet<string> = new Set(["auth_success", "elicitation_complete", "elicitation_response"]);

const toolOf = (fields: JsonObject): { id: string; tool: string } => ({
  id: textOf(fields["tool_use_id"]) || textOf(fields["tool_name"]),
  tool: textOf(fields["tool_name"]) || "tool",
});

const READERS: Readonly<Record<string, (fields: JsonObject) => readonly HookFact[]>> = {
  SessionStart: () => [{ kind: "active", text: "its session began" }],
  UserPromptSubmit: () => [{ kind: "turn-started" }],
  PreToolUse: (fields) => [{ kind: "tool-started", ...toolOf(fields), input: fields["tool_input"] }],
  PostToolUse: (fields) => [{ kind: "tool-ended", ...toolOf(fields), failed: false }],
  PostToolUseFailure: (fields) => [{ kind: "tool-ended", ...toolOf(fields), failed: true }],
  PermissionRequest: (fields) => [{ kind: "question", tool: toolOf(fields).tool, input: fields["tool_input"] }],
  Notification: ({ message, notification_type: type }) =>
    REMARKS.has(textOf(type)) ? [] : [{ kind: "waits", text: textOf(message) }],
  Stop: ({ last_assistant_message: text }) => [{ kind: "turn-ended", text: orNull(textOf(text)), limited: false }],
  StopFailure: ({ error }) => [{ kind: "turn-ended", text: null, limited: error === "rate_limit" }],
  SubagentStop: () => [{ kind: "active", text: "a sub-agent is done" }],
  PreCompact: () => [{ kind: "active", text: "shortening its conversation" }],
};

/** Codex reports only the end of a turn. */
function fromCodex(fields: JsonObject): readonly HookFact[] {
  if (fields["type"] !== "agent-turn-complete") return [];
  const { "input-messages": messages } = fields;
  return [
    {
      kind: "thread-ended",
      id: textOf(fields["thread-id"]),
      prompts: Array.isArray(messages) ? messages.map(textOf) : [],
      text: orNull(textOf(fields["last-assistant-message"])),
    },
  ];
}

/**
 * Translates an agent's report into facts, in order. An unknown report gives no facts, so a newer agent breaks nothing.
 * Pure.
 */
export function readHook(fields: JsonObject): readonly HookFact[] {
  const name = textOf(fields["hook_event_name"]);
  if (name === "") return fromCodex(fields);
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  const id = textOf(fields["session_id"]);
  const facts = read?.(fields) ?? [];
  if (id === "") return facts;
  const mode = textOf(fields["permission_mode"]);
  const allowed: readonly HookFact[] = mode === "" ? [] : [{ kind: "permission-mode", mode }];
  return [{ kind: "session", id, transcript: orNull(textOf(fields["transcript_path"])) }, ...allowed, ...facts];
}

type ThreadEnded = Extract<HookFact, { kind: "thread-ended" }>;

const OTHER: HookFact = { kind: "active", text: "another thread of its agent ended a turn" };

/** Whether a prompt that was passed on is the beginning of the one that the agent was started with. */
const isSamePrompt = (prompt: string, opening: string): boolean =>
  prompt.trim() === opening.slice(0, REPORTED_CHARS).trim() && prompt.trim() !== "";

/**
 * What the end of a turn in a thread of Codex says of the conversation that the worker looks after. Codex finds a title
 * in a thread besides, and sub-agents have threads too; all of them report in the same words. The conversation is known by
 * its id, and before the id is known by the prompt that it was started with. Pure.
 */
export function readThreadEnd(fact: ThreadEnded, session: AgentSession, opening: string): readonly HookFact[] {
  const { id, prompts, text } = fact;
  const isOwn = session.id === null ? prompts.some((prompt) => isSamePrompt(prompt, opening)) : session.id === id;
  if (!isOwn) return [OTHER];
  const begun: readonly HookFact[] = session.turn === "running" ? [] : [{ kind: "turn-started" }];
  const known: readonly HookFact[] = id === "" ? [] : [{ kind: "session", id, transcript: null }];
  return [...known, ...begun, { kind: "turn-ended", text, limited: false }];
}
