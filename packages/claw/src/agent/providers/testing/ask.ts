import type { ContentBlock, SessionMessage } from "claw-contract";
import { ClawError } from "claw-contract";
import { joinSignals } from "../../../process/index.ts";
import type { ModelAnswer, ModelEvent, ModelRequest, Provider } from "../provider.ts";

export const user = (text: string): SessionMessage => ({ role: "user", blocks: [{ type: "text", text }] });

export const assistant = (...blocks: ContentBlock[]): SessionMessage => ({ role: "assistant", blocks });

export const call = (id: string, name = "read_file", input = "{}"): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const result = (id: string, output: string, is_error = false): SessionMessage => ({
  role: "tool",
  blocks: [{ type: "tool_result", tool_use_id: id, tool_name: "read_file", output, is_error }],
});

export const READ_FILE = {
  name: "read_file",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
} as const;

/** A request that asks one thing, unless told otherwise. */
export const request = (given: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "a-model",
  system: ["Be brief."],
  messages: [user("hello")],
  tools: [READ_FILE],
  maxOutputTokens: 1000,
  ...given,
});

export interface Asked {
  readonly answer: ModelAnswer;
  readonly events: readonly ModelEvent[];
}

export async function ask(provider: Provider, given: Partial<ModelRequest> = {}): Promise<Asked> {
  const events: ModelEvent[] = [];
  const answer = await provider.ask(
    request(given),
    (event) => void events.push(event),
    joinSignals({ timeoutMs: 100_000 }).signal,
  );
  return { answer, events };
}

/** The row of the catalogue a request ends with. */
export async function failureOf(provider: Provider, given: Partial<ModelRequest> = {}): Promise<ClawError> {
  const failure: unknown = await ask(provider, given).then(
    () => new Error("it did not fail"),
    (error: unknown) => error,
  );
  if (failure instanceof ClawError) return failure;
  throw failure;
}
