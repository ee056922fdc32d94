import { ClawError } from "claw-contract";
import type { PermissionMode } from "claw-contract";
import type { Agent, McpServerState, ModelUsage, TurnEvent } from "../../../agent/index.ts";
import type { Compaction, OpenTurn } from "../../../sessions/index.ts";
import { newSessionId } from "../../../sessions/index.ts";
import { isModelId } from "../choose-model.ts";
import type { InteractiveSession, SessionCost, SessionTodo } from "../slash-commands/interactive-session.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { AgentWishes } from "../turns/open-work-agent.ts";
import type { SessionTurn } from "../turns/run-in-session.ts";
import { runInSession } from "../turns/run-in-session.ts";
import { createChatLedger } from "./ledger.ts";
import { lastExchange, lastTodos, promptsIn } from "./said-before.ts";

/** A session that a person resumed: the number of messages, the last prompt and the last answer. */
export interface Resumed {
  readonly messages: number;
  /** Whether the user made the session here, or has resumed the session by its name before. */
  readonly isOwn: boolean;
  readonly prompt: string;
  readonly answer: string;
}

export interface ChatSessionParts {
  readonly ports: Pick<Ports, "sessions">;
  readonly wishes: AgentWishes;
  /** Opens the agent that flags ask for. Throws ClawError. */
  readonly openAgent: (wishes: AgentWishes) => Promise<Agent>;
}

/**
 * The session a person works in: an agent, and the stored session that receives the agent's turns. The caller of `open`
 * closes the session.
 */
export class ChatSession implements InteractiveSession {
  readonly #parts: ChatSessionParts;
  readonly #ledger = createChatLedger();
  #wishes: AgentWishes;
  #agent: Agent;
  #id = newSessionId(Date.now());
  #prompts: string[] = [];
  #submitted: string | undefined;
  #turns = 0;
  #isStored = false;
  #isOver = false;

  private constructor(parts: ChatSessionParts, agent: Agent) {
    this.#parts = parts;
    this.#wishes = parts.wishes;
    this.#agent = agent;
  }

  static async open(parts: ChatSessionParts): Promise<ChatSession> {
    return new ChatSession(parts, await parts.openAgent(parts.wishes));
  }

  agent = (): Agent => this.#agent;
  id = (): string => this.#id;
  model = (): string => this.#agent.model;
  permissionMode = (): PermissionMode => this.#agent.mode;
  servers = (): readonly McpServerState[] => this.#agent.servers;
  prompts = (): readonly string[] => this.#prompts;
  todos = (): readonly SessionTodo[] => this.#agent.todos.items();
  /** Turns that count. */
  turns = (): number => this.#turns;
  /** Whether something is stored under the id. */
  isStored = (): boolean => this.#isStored;
  isOver = (): boolean => this.#isOver;

  cost = (): SessionCost => ({ model: this.#agent.model, ...this.#ledger.total(this.#agent.spending) });

  usage = (): ModelUsage => this.cost().usage;

  async setModel(model: string): Promise<void> {
    if (!isModelId(model)) {
      throw new ClawError("INVALID_MODEL", "this is not the id of a model", {
        operation: "choose_model",
        target: model.slice(0, 200),
      });
    }
    await this.#reopen({ ...this.#wishes, model });
  }

  async setPermissionMode(permissionMode: PermissionMode): Promise<void> {
    await this.#reopen({ ...this.#wishes, permissionMode });
  }

  /** Opens the next agent before it closes the current agent. The next agent gets the rest of the budget. */
  async #reopen(wishes: AgentWishes): Promise<void> {
    const { budgetUsd } = this.#parts.wishes;
    const spent = this.cost().costUsd ?? 0;
    const budget = budgetUsd === undefined ? {} : { budgetUsd: Math.max(0, budgetUsd - spent) };
    const next = await this.#parts.openAgent({ ...wishes, ...budget });
    const before = this.#agent;
    this.#ledger.close(before.spending);
    next.todos.replace(before.todos.items());
    this.#wishes = wishes;
    this.#agent = next;
    await before.close();
  }

  async compact(signal: AbortSignal): Promise<Compaction | undefined> {
    if (!this.#isStored) return undefined;
    return this.#withTurn(signal, async (open) => {
      const made = await this.#agent.compact(open.conversation, signal);
      if (made === undefined) return undefined;
      open.compact(made);
      open.commit();
      return made;
    });
  }

  async clear(): Promise<void> {
    this.#id = newSessionId(Date.now());
    this.#prompts = [];
    this.#agent.todos.replace([]);
    this.#isStored = false;
  }

  async resume(ref: string, signal: AbortSignal): Promise<Resumed> {
    const { sessions } = this.#parts.ports;
    const entry = sessions.findToResume(ref);
    const isOwn = sessions.isOwn(entry);
    const { messages } = await sessions.converse(entry, signal);
    this.#id = entry.id;
    this.#prompts = promptsIn(messages);
    this.#agent.todos.replace(lastTodos(messages));
    this.#isStored = true;
    return { messages: messages.length, isOwn, ...lastExchange(messages) };
  }

  submit(prompt: string): void {
    this.#submitted = prompt;
  }

  /** The prompt that a slash command has submitted; undefined when there is none. Removes the prompt. */
  takeSubmitted(): string | undefined {
    const prompt = this.#submitted;
    this.#submitted = undefined;
    return prompt;
  }

  exit(): void {
    this.#isOver = true;
  }

  /**
   * Runs one turn. A failure of the turn is part of the result. Rejects only when the stored session cannot be opened.
   */
  async run(prompt: string, emit: (event: TurnEvent) => void, signal: AbortSignal): Promise<SessionTurn> {
    const turn = await this.#withTurn(signal, (open) => runInSession(this.#agent, open, prompt, { emit, signal }));
    if (turn.failure === undefined && turn.progress.iterations > 0) {
      this.#prompts.push(prompt);
      this.#turns += 1;
      this.#isStored = true;
    }
    return turn;
  }

  async #withTurn<T>(signal: AbortSignal, work: (open: OpenTurn) => Promise<T>): Promise<T> {
    const open = await this.#parts.ports.sessions.openTurn(this.#id, { model: this.#agent.model }, signal);
    try {
      return await work(open);
    } finally {
      open.close();
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}
