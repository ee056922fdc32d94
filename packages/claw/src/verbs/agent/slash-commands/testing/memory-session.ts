import { ClawError } from "claw-contract";
import type { PermissionMode } from "claw-contract";
import type { InteractiveSession, SessionTodo } from "../interactive-session.ts";

export interface MemorySession extends InteractiveSession {
  /** What was submitted, and whether the session was ended. */
  readonly submitted: string[];
  hasEnded(): boolean;
}

interface Beginning {
  readonly prompts?: readonly string[];
  readonly todos?: readonly SessionTodo[];
  /** Stored sessions by id, with how many messages each holds. */
  readonly stored?: Readonly<Record<string, number>>;
  readonly servers?: ReturnType<InteractiveSession["servers"]>;
}

/** A session without a model or a disk. */
export function createMemorySession(beginning: Beginning = {}): MemorySession {
  const { prompts = [], todos = [], stored = {}, servers = [] } = beginning;
  const submitted: string[] = [];
  let [id, model, ended, said] = ["s-1", "model-1", false, [...prompts]];
  let mode: PermissionMode = "workspace-write";
  return {
    id: () => id,
    model: () => model,
    setModel: async (next) => {
      if (/\s/.test(next)) {
        throw new ClawError("INVALID_MODEL", "no model", { operation: "choose_model", target: next });
      }
      model = next;
    },
    permissionMode: () => mode,
    setPermissionMode: async (next) => {
      mode = next;
    },
    cost: () => ({
      model,
      usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 3, cache_read_input_tokens: 2 },
      costUsd: 0.01234,
    }),
    compact: async () => {
      const removed = said.length - 1;
      said = said.slice(-1);
      const usage = { input_tokens: 1200, output_tokens: 80 };
      const made = { summary: "", kind: "model" as const, fallbackReason: null, asked: { model, usage } };
      return removed <= 0 ? undefined : { removed, ...made };
    },
    clear: async () => {
      [id, said] = ["s-2", []];
    },
    resume: async (ref) => {
      const messages = stored[ref];
      if (messages === undefined) {
        throw new ClawError("SESSION_NOT_FOUND", "no session", { operation: "resolve_session", target: ref });
      }
      id = ref;
      return { messages, isOwn: true };
    },
    servers: () => servers,
    prompts: () => said,
    todos: () => todos,
    submit: (prompt) => void submitted.push(prompt),
    exit: () => {
      ended = true;
    },
    submitted,
    hasEnded: () => ended,
  };
}
