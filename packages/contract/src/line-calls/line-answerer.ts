import type { CancelSignal } from "../cancel-signal.ts";
import { createCancel } from "../cancel-signal.ts";
import type { LineFields, LineRequest } from "./line-frame.ts";
import { CANCEL } from "./line-frame.ts";

export interface LineAnswererOptions {
  readonly send: (line: string) => void;
  /**
   * Does the work of a request; resolves with the fields of the reply. The signal is aborted when the caller gives the
   * request up, and when the connection ends.
   */
  readonly answer: (request: LineRequest, signal: CancelSignal) => Promise<LineFields>;
  /** The fields of a reply that refuses a request, from the error of `answer`. */
  readonly refuse: (error: unknown) => LineFields;
  /**
   * Whether a request is answered in its turn: after the earlier requests of this kind, and when the connection has room
   * for the reply. Long replies are answered in turn, so that they do not pile up in memory.
   */
  readonly isInTurn: (cmd: string) => boolean;
  /** Whether too much waits to be sent. */
  readonly congested: () => boolean;
  /** Stops or resumes reading requests. */
  readonly pause: (on: boolean) => void;
  /** Requests that may wait for their turn before the answerer stops reading. */
  readonly maxInTurn: number;
  /** Requests at work at the same time; further requests are refused with the error of `tooMany`. */
  readonly maxCalls: number;
  readonly tooMany: (request: LineRequest) => Error;
}

/** The answering end of a connection. */
export interface LineAnswerer {
  take(request: LineRequest): void;
  /** The connection has room again. */
  drained(): void;
  /** The connection has ended: gives up all work. Idempotent. */
  end(): void;
}

class Answerer implements LineAnswerer {
  readonly #options: LineAnswererOptions;
  readonly #working = new Map<number, () => void>();
  readonly #inTurn: LineRequest[] = [];
  #isAnswering = false;
  #ended = false;
  #hasRoom = (): void => undefined;

  constructor(options: LineAnswererOptions) {
    this.#options = options;
  }

  take(request: LineRequest): void {
    const { isInTurn, maxInTurn, maxCalls, pause, tooMany } = this.#options;
    if (this.#ended) return;
    if (request.cmd === CANCEL) return this.#working.get(Number(request["call"]))?.();
    if (!isInTurn(request.cmd)) {
      if (this.#working.size >= maxCalls) return this.#reply(request, this.#refusal(tooMany(request)));
      return void this.#answer(request);
    }
    this.#inTurn.push(request);
    if (this.#inTurn.length > maxInTurn) pause(true);
    return void this.#answerInTurn();
  }

  drained(): void {
    this.#hasRoom();
  }

  end(): void {
    this.#ended = true;
    this.#inTurn.length = 0;
    this.#hasRoom();
    for (const cancel of this.#working.values()) cancel();
  }

  #refusal(error: unknown): LineFields {
    return { ok: false, ...this.#options.refuse(error) };
  }

  #reply({ id }: LineRequest, fields: LineFields): void {
    if (!this.#ended) this.#options.send(JSON.stringify({ rid: id, ...fields }));
  }

  async #answer(request: LineRequest): Promise<void> {
    const { signal, cancel } = createCancel();
    this.#working.set(request.id, cancel);
    let fields: LineFields;
    try {
      fields = { ok: true, ...(await this.#options.answer(request, signal)) };
    } catch (error) {
      fields = this.#refusal(error);
    }
    this.#working.delete(request.id);
    this.#reply(request, fields);
  }

  async #answerInTurn(): Promise<void> {
    const { congested, pause } = this.#options;
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    for (let request = this.#inTurn.shift(); request !== undefined; request = this.#inTurn.shift()) {
      await this.#answer(request);
      if (congested() && !this.#ended) await new Promise<void>((resolve) => (this.#hasRoom = resolve));
      if (this.#inTurn.length === 0) pause(false);
    }
    this.#isAnswering = false;
  }
}

export const createLineAnswerer = (options: LineAnswererOptions): LineAnswerer => new Answerer(options);
