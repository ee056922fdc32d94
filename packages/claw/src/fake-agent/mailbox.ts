import type { PlayedAnswer, PlayedDialogue } from "./voice.ts";

/** Passes prompts, answers and interruptions from the reader of stdin to the player of the scenario. */
export class Mailbox implements PlayedDialogue {
  readonly #prompts: string[] = [];
  readonly #waiting: ((prompt: string | undefined) => void)[] = [];
  readonly #answers = new Map<string, PlayedAnswer>();
  readonly #asking = new Map<string, (answer: PlayedAnswer | undefined) => void>();
  #interrupted: () => void = () => {};
  #closed = false;

  prompt(): Promise<string | undefined> {
    const next = this.#prompts.shift();
    if (next !== undefined || this.#closed) return Promise.resolve(next);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  answer(id: string): Promise<PlayedAnswer | undefined> {
    const known = this.#answers.get(id);
    if (known !== undefined || this.#closed) return Promise.resolve(known);
    return new Promise((resolve) => this.#asking.set(id, resolve));
  }

  onInterrupt(told: () => void): void {
    this.#interrupted = told;
  }

  interrupt(): void {
    this.#interrupted();
  }

  addPrompt(prompt: string): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#prompts.push(prompt);
    else waiting(prompt);
  }

  addAnswer(id: string, answer: PlayedAnswer): void {
    this.#answers.set(id, answer);
    this.#asking.get(id)?.(answer);
  }

  /** Marks the end of input: all waiting calls resolve with undefined. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
    for (const asking of this.#asking.values()) asking(undefined);
  }
}
