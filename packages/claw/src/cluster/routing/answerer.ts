import type { Answer } from "../../bus/index.ts";
import type { Pieces, RouteFrame } from "./route-frame.ts";
import { collectPieces, framesOf, signal } from "./route-frame.ts";
import type { RouteLine } from "./route-line.ts";
import { MAX_TEXT_BYTES } from "./route-line.ts";

/** Most questions that a daemon answers at once, questions with missing pieces included. */
const MAX_OPEN = 2000;
/** A question whose asker gives no sign of life for so long is dropped. */
const DROP_MS = 30_000;

interface Work {
  readonly pieces: Pieces;
  readonly leaving: AbortController;
  heardAt: number;
}

const keyOf = (from: string, id: string): string => `${from} ${id}`;

/** Takes in questions over a line, and answers them. */
export interface Answerer {
  readonly serve: (answer: Answer) => void;
  take(from: string, frame: RouteFrame): void;
  close(): void;
}

/** The questions that are being answered, by asker and id. */
class Works {
  readonly #line: RouteLine;
  readonly #works = new Map<string, Work>();

  constructor(line: RouteLine) {
    this.#line = line;
  }

  /** Takes a piece of a question in. Calls `begin` with the whole question. */
  take(from: string, frame: RouteFrame, begin: (question: string, signal: AbortSignal) => void): void {
    const key = keyOf(from, frame.id);
    const known = this.#works.get(key);
    if (known === undefined && this.#works.size >= MAX_OPEN) return this.#line.send(from, signal("failed", frame.id));
    const work = known ?? { pieces: collectPieces(MAX_TEXT_BYTES), leaving: new AbortController(), heardAt: 0 };
    work.heardAt = performance.now();
    this.#works.set(key, work);
    const state = work.pieces.take(frame);
    if (state.kind === "unfit") return this.finish(from, frame.id, undefined);
    return state.kind === "whole" ? begin(state.text, work.leaving.signal) : undefined;
  }

  /** Sends the answer, unless the question was dropped. */
  finish(from: string, id: string, text: string | undefined): void {
    if (!this.#works.delete(keyOf(from, id))) return;
    const isFit = text !== undefined && Buffer.byteLength(text) <= MAX_TEXT_BYTES;
    const frames = isFit ? framesOf("answer", id, text, this.#line.pieceBytes()) : [signal("failed", id)];
    for (const frame of frames) this.#line.send(from, frame);
  }

  /** Tells an asker whether its question is still being answered. */
  look(from: string, id: string): void {
    const work = this.#works.get(keyOf(from, id));
    if (work !== undefined) work.heardAt = performance.now();
    this.#line.send(from, signal(work === undefined ? "lost" : "busy", id));
  }

  drop(key: string): void {
    this.#works.get(key)?.leaving.abort();
    this.#works.delete(key);
  }

  /** Drops questions whose asker was not heard since a time. */
  sweep(since: number): void {
    for (const [key, { heardAt }] of this.#works) if (heardAt < since) this.drop(key);
  }
}

export function createAnswerer(line: RouteLine): Answerer {
  const works = new Works(line);
  let answer: Answer | undefined;
  const sweeping = setInterval(() => works.sweep(performance.now() - DROP_MS), DROP_MS);
  sweeping.unref();
  const ask = (from: string, frame: RouteFrame): void =>
    works.take(from, frame, (question, left) => {
      const answered = answer?.({ from, question, signal: left }) ?? Promise.resolve(undefined);
      answered.then(
        (text) => works.finish(from, frame.id, text),
        () => works.finish(from, frame.id, undefined),
      );
    });
  return {
    serve: (given) => void (answer = given),
    take: (from, frame) => {
      if (frame.kind === "ask") ask(from, frame);
      if (frame.kind === "stop") works.drop(keyOf(from, frame.id));
      if (frame.kind === "here") works.look(from, frame.id);
    },
    close: () => {
      clearInterval(sweeping);
      works.sweep(Infinity);
    },
  };
}
