import type { Answer } from "./voice.ts";

/** Prompts and answers between the one who reads stdin and the one who plays. */
export class Mailbox {
  readonly #prompts: string[] = [];
  readonly #waiting: ((prompt: string | undefined) => void)[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, (answer: Answer | undefined) => void>();
  #closed = false;

  /** The next prompt; undefined when none will come. */
  prompt(): Promise<string | undefined> {
    const next = this.#prompts.shift();
    if (next !== undefined || this.#closed) return Promise.resolve(next);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The answer to a request; undefined when nobody will give one. */
  answer(id: string): Promise<Answer | undefined> {
    const known = this.#answers.get(id);
    if (known !== undefined || this.#closed) return Promise.resolve(known);
    return new Promise((resolve) => this.#asking.set(id, resolve));
  }

  addPrompt(prompt: string): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#prompts.push(prompt);
    else waiting(prompt);
  }

  addAnswer(id: string, answer: Answer): void {
    this.#answers.set(id, answer);
    this.#asking.get(id)?.(answer);
  }

  /** Nothing more will come. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
    for (const asking of this.#asking.values()) asking(undefined);
  }
}
