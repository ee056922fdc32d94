import { formatCommand, isObject } from "claw-contract";
import type { OpenCommand } from "./command-memory.ts";

const ANSWERS: ReadonlySet<string> = new Set(["approve", "reject", "unblock"]);

/** Whether a command is an answer that its worker waits for. */
export const isAnswer = (action: string): boolean => ANSWERS.has(action);

/** Merges the payload of an answer into the answer's other fields. */
function answerFields({ payload, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(payload) ? { ...rest, ...payload } : { ...rest, ...(payload === undefined ? {} : { payload }) };
}

/** The text to type into a worker's terminal for a command; null when the command cannot be written as a line. */
export function commandLine({ ladder, data, correlationId }: OpenCommand): string | null {
  const { action, commandId } = ladder;
  if (action === "inject_text") return typeof data["text"] === "string" ? data["text"] : null;
  const payload = isAnswer(action) ? answerFields(data) : data;
  return formatCommand({ requestId: correlationId ?? commandId, action, payload });
}
