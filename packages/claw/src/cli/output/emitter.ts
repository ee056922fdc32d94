import type { Redactor } from "claw-contract";
import { foldLines, printable, showItem } from "../../verbs/index.ts";
import type { VerbCall } from "../arguments/parse-call.ts";
import type { AnswerChannel } from "../channel.ts";
import type { LateSignal } from "../late-signal.ts";
import { createLateSignal } from "../late-signal.ts";
import { createOutputQueue } from "./output-queue.ts";
import type { StatusLine } from "./status-line.ts";

/** The reader of the stream has hung up. The call ends early, without a failure. */
export class ReaderGone extends Error {}

export interface Emitter {
  /** Writes an item: a line of JSON, or a line for people. Throws ReaderGone when the reader has hung up. */
  readonly emit: (call: VerbCall, item: unknown) => Promise<void>;
  /** Resolves when all items are written. Throws ReaderGone when the reader has hung up. */
  readonly flush: () => Promise<void>;
  /** Aborted as soon as the queue notices that the reader has hung up. */
  readonly gone: LateSignal;
}

export interface EmitterOptions {
  readonly redactor: Redactor;
  readonly env: NodeJS.ProcessEnv;
  readonly status: StatusLine;
}

/** Writes items of a stream as they come. A slow reader holds up the stream, not the program. */
export function createEmitter(channel: AnswerChannel, { redactor, env, status }: EmitterOptions): Emitter {
  const gone = createLateSignal();
  const throwIfGone = (): void => {
    if (gone.reason !== undefined) throw gone.reason;
  };
  const output = createOutputQueue({ onGone: () => gone.abort(new ReaderGone()), status });
  const lineOf = async (call: VerbCall, item: unknown): Promise<string> => {
    if (channel.stream) return JSON.stringify(item);
    const { createPaint } = await import("./paint.ts");
    const paint = createPaint(1, { noColor: call.globals["noColor"] === true, env });
    return foldLines(await showItem(call.verb, printable(item), paint), paint.columns);
  };
  return {
    emit: async (call, item) => {
      if (channel.format === "json" && !channel.stream) return;
      const line = await lineOf(call, redactor.redactValue(item));
      await output.push(`${line}\n`);
      throwIfGone();
    },
    flush: async () => {
      await output.flush();
      throwIfGone();
    },
    gone,
  };
}
