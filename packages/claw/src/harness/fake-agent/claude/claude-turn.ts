import type { JsonObject } from "@claw/contract";
import type { SubAgent } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import type { ModelMessage } from "./message-lines.ts";
import { assistantLine, nextMessage } from "./message-lines.ts";
import type { TurnFacts } from "./result-line.ts";

/** A call of a tool: its id, and the line that shows it. */
export interface Call {
  readonly id: string;
  readonly line: JsonObject;
}

/** What one turn has come to so far. */
export class ClaudeTurn {
  readonly #session: ClaudeSession;
  readonly #startedMs: number;
  readonly #denials: JsonObject[] = [];
  #messages = 0;
  #message: ModelMessage | undefined;
  lastText = "";

  constructor(session: ClaudeSession) {
    this.#session = session;
    this.#startedMs = session.stage.now().getTime();
  }

  /** The answer of the model that is being shown. Its blocks share it; the call of a tool is its last one. */
  message(agent?: SubAgent): ModelMessage {
    if (agent !== undefined) return nextMessage(this.#session);
    if (this.#message === undefined) this.#messages += 1;
    return (this.#message ??= nextMessage(this.#session));
  }

  call(name: string, input: JsonObject, agent?: SubAgent): Call {
    const id = `toolu_fake_${this.#session.next()}`;
    const block = { type: "tool_use", id, name, input };
    const line = assistantLine(this.#session, this.message(agent), block, { agent });
    if (agent === undefined) this.#message = undefined;
    return { id, line };
  }

  deny(denial: JsonObject): void {
    this.#denials.push(denial);
  }

  facts(): TurnFacts {
    return {
      numTurns: Math.max(1, this.#messages),
      denials: this.#denials,
      answered: this.#messages > 0,
      startedMs: this.#startedMs,
    };
  }
}
