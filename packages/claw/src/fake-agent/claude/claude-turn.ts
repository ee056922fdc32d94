import type { JsonObject } from "claw-contract";
import type { SubAgent } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import type { ModelMessage } from "./message-lines.ts";
import { assistantLine, nextMessage } from "./message-lines.ts";
import type { TurnFacts } from "./result-line.ts";

/** A call of a tool: its id, and the output line for the call. */
export interface PlayedCall {
  readonly id: string;
  readonly line: JsonObject;
}

/** The state of the current turn. */
export class ClaudeTurn {
  readonly #session: ClaudeSession;
  readonly #startedMs: number;
  readonly #denials: JsonObject[] = [];
  #messages = 0;
  #answers: number;
  #message: ModelMessage | undefined;
  lastText = "";

  /** `answers` are those of the model that no result has counted yet. */
  constructor(session: ClaudeSession, answers = 0) {
    this.#session = session;
    this.#answers = answers;
    this.#startedMs = session.stage.now().getTime();
  }

  /** The model's current answer. All blocks of the answer share this message; a tool call is the last block. */
  message(agent?: SubAgent): ModelMessage {
    if (agent !== undefined) return this.#next();
    if (this.#message === undefined) this.#messages += 1;
    return (this.#message ??= this.#next());
  }

  call(name: string, input: JsonObject, agent?: SubAgent): PlayedCall {
    const id = `toolu_fake_${this.#session.next()}`;
    const block = { type: "tool_use", id, name, input };
    const line = assistantLine(this.#session, this.message(agent), block, { agent });
    if (agent === undefined) this.#message = undefined;
    return { id, line };
  }

  deny(denial: JsonObject): void {
    this.#denials.push(denial);
  }

  /** Answers of the model, those to sub-agents too, that no result has counted yet. */
  uncounted(): number {
    return this.#answers;
  }

  /** What the result of the turn says. Answers are counted by one result. */
  settle(): TurnFacts {
    const answers = this.#answers;
    this.#answers = 0;
    return {
      numTurns: Math.max(1, this.#messages),
      denials: this.#denials,
      answers,
      startedMs: this.#startedMs,
    };
  }

  #next(): ModelMessage {
    this.#answers += 1;
    return nextMessage(this.#session);
  }
}
