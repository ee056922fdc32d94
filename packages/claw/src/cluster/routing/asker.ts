import { randomUUID } from "node:crypto";
import { machineAway } from "../../bus/index.ts";
import { isSegment } from "../stream-log/subjects.ts";
import { unreachable } from "../connection/nats-errors.ts";
import type { Pieces, RouteFrame } from "./route-frame.ts";
import { collectPieces, framesOf, signal as signalFrame } from "./route-frame.ts";
import type { RouteLine } from "./route-line.ts";
import { MAX_TEXT_BYTES } from "./route-line.ts";

/** How often an asker looks whether its question is still being answered. */
const LOOK_MS = 1000;
/** A machine without a sign of life for so long is away. */
export const AWAY_MS = 5000;
/** Most open questions of a daemon. */
const MAX_OPEN = 2000;

interface Open {
  readonly machine: string;
  readonly pieces: Pieces;
  heardAt: number;
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

interface Question {
  readonly machine: string;
  readonly question: string;
  readonly signal: AbortSignal | undefined;
}

/** Asks questions over a line, and takes in answers. */
export interface Asker {
  readonly ask: (machine: string, question: string, signal?: AbortSignal) => Promise<string>;
  take(from: string, frame: RouteFrame): void;
  /** No daemon listens for the question. */
  unheard(id: string): void;
  close(): void;
}

/** Watches an open question. Returns a function that ends the watch. */
function watch(line: RouteLine, id: string, open: Open): () => void {
  const timer = setInterval(() => {
    if (performance.now() - open.heardAt < AWAY_MS) return line.send(open.machine, signalFrame("here", id));
    const why = "gives no sign of life";
    return open.reject(line.isConnected() ? machineAway(open.machine, why) : unreachable(line.url, "NATS is away"));
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function takeAnswer(open: Open, frame: RouteFrame): void {
  open.heardAt = performance.now();
  if (frame.kind === "lost") return open.reject(machineAway(open.machine, "was started anew"));
  if (frame.kind === "failed") return open.reject(machineAway(open.machine, "could not answer"));
  if (frame.kind !== "answer") return;
  const state = open.pieces.take(frame);
  if (state.kind === "unfit") open.reject(machineAway(open.machine, "gave an answer that cannot be read"));
  if (state.kind === "whole") open.resolve(state.text);
}

/** Sends a question, and waits for its answer. */
async function put(line: RouteLine, questions: Map<string, Open>, asked: Question): Promise<string> {
  const { machine, question, signal } = asked;
  const id = randomUUID();
  let stop = (): void => undefined;
  const answered = new Promise<string>((resolve, reject) => {
    const open = { machine, pieces: collectPieces(MAX_TEXT_BYTES), heardAt: performance.now(), resolve, reject };
    questions.set(id, open);
    const leave = (): void => {
      line.send(machine, signalFrame("stop", id));
      reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", leave, { once: true });
    const unwatch = watch(line, id, open);
    stop = (): void => {
      unwatch();
      signal?.removeEventListener("abort", leave);
    };
    for (const frame of framesOf("ask", id, question, line.pieceBytes())) line.send(machine, frame);
  });
  return answered.finally(() => {
    stop();
    questions.delete(id);
  });
}

export function createAsker(line: RouteLine): Asker {
  const questions = new Map<string, Open>();
  const refusal = (machine: string, question: string): Error | undefined => {
    if (!isSegment(machine)) return machineAway(machine, "cannot be asked: this is no name of a machine");
    if (!line.isConnected()) return unreachable(line.url, "NATS is away");
    if (questions.size >= MAX_OPEN) return machineAway(machine, "has too many questions to answer");
    return Buffer.byteLength(question) > MAX_TEXT_BYTES ? machineAway(machine, "takes no text so large") : undefined;
  };
  return {
    ask: async (machine, question, signal) => {
      signal?.throwIfAborted();
      const refused = refusal(machine, question);
      if (refused !== undefined) throw refused;
      return put(line, questions, { machine, question, signal });
    },
    take: (from, frame) => {
      const open = questions.get(frame.id);
      if (open?.machine === from) takeAnswer(open, frame);
    },
    unheard: (id) => {
      const open = questions.get(id);
      open?.reject(machineAway(open.machine, "does not run"));
    },
    close: () => {
      for (const { machine, reject } of questions.values()) reject(machineAway(machine, "is asked no more"));
    },
  };
}
