import type { Redactor } from "@claw/contract";
import { showItem } from "../verbs/index.ts";
import type { Call } from "./arguments/parse-call.ts";
import type { Channel } from "./channel.ts";
import { printable } from "./printable.ts";
import { writeOutput } from "./write-output.ts";

/** Nobody reads the stream any more; there is nothing left to do and nothing wrong. */
export class ReaderGone extends Error {}

/** Writes items of a stream as they come: a line of JSON each, or a line for people. */
export function createEmitter(
  channel: Channel,
  redactor: Redactor,
  env: NodeJS.ProcessEnv,
): (call: Call, item: unknown) => Promise<void> {
  const lineOf = async (call: Call, item: unknown): Promise<string> => {
    if (channel.stream) return JSON.stringify(item);
    const { createPaint } = await import("./paint.ts");
    const paint = createPaint(1, { noColor: call.globals["noColor"] === true, env });
    return showItem(call.verb, printable(item), paint);
  };
  return async (call, item) => {
    if (channel.format === "json" && !channel.stream) return;
    const line = await lineOf(call, redactor.redactValue(item));
    if (!writeOutput(1, `${line}\n`)) throw new ReaderGone();
  };
}
