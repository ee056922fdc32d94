import { sleep } from "../retrying.ts";
import type { ContentBlock, ModelScript, ScriptedTurn } from "claw-contract";
import { ClawError } from "claw-contract";
import { invalidScript, readModelScript } from "./model-script-file.ts";
import type { ModelAnswer, ModelEvent, ModelRequest, ModelUsage, Provider } from "../provider.ts";
import type { ScriptSituation } from "./scripted-turn.ts";
import { fillIn, situationOf, turnFor } from "./scripted-turn.ts";

type Emit = (event: ModelEvent) => void;

const MODEL_PREFIX = "scripted:";
const CHARS_PER_TOKEN = 4;

export const isScripted = (model: string): boolean => model === "scripted" || model.startsWith(MODEL_PREFIX);

const ECHO: ModelScript = { turns: [{ blocks: [{ type: "text", text: "{{prompt}}" }] }] };

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARS_PER_TOKEN);

const estimate = ({ system, messages }: ModelRequest, blocks: readonly ContentBlock[]): ModelUsage => ({
  input_tokens: tokensOf([system, messages]),
  output_tokens: tokensOf(blocks),
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});

/** Emits a scripted turn block by block and resolves with the content. */
async function playTurn(
  turn: ScriptedTurn,
  situation: ScriptSituation,
  emit: Emit,
  signal: AbortSignal,
): Promise<ContentBlock[]> {
  const said: ContentBlock[] = [];
  for (const [index, given] of turn.blocks.entries()) {
    signal.throwIfAborted();
    const block = fillIn(given, situation);
    if (block.type === "wait") await sleep(block.ms, signal);
    else if (block.type === "tool") {
      const { id = `script_${situation.turn}_${index}`, name, input } = block;
      const text = typeof input === "string" ? input : JSON.stringify(input);
      said.push({ type: "tool_use", id, name, input: text });
      emit({ kind: "tool-call", id, name });
      if (text !== "") emit({ kind: "tool-input", id, text });
    } else {
      const { type, text } = block;
      said.push(type === "text" ? { type, text } : { type, thinking: text });
      if (text !== "") emit({ kind: type, text });
    }
  }
  return said;
}

function scriptedError(
  { code, message, retry_after_ms: retryAfterMs }: NonNullable<ScriptedTurn["error"]>,
  model: string,
) {
  return new ClawError(code, message ?? `the script says ${code}`, {
    operation: "ask_model",
    target: model,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    details: { provider: "scripted", status: null },
  });
}

const noSummary = (model: string): ClawError =>
  new ClawError("MODEL_SCRIPT_INVALID", "the script has no answer to a request for a summary", {
    operation: "ask_model",
    target: model,
  });

async function play(script: ModelScript, request: ModelRequest, emit: Emit, signal: AbortSignal): Promise<ModelAnswer> {
  const situation = situationOf(request);
  const isSummary = request.purpose === "summary";
  const turn = isSummary ? script.compaction : turnFor(script, situation);
  if (turn === undefined) {
    if (isSummary) throw noSummary(request.model);
    const message = `none of the alternatives of turn ${situation.turn} fits what the model was sent`;
    throw invalidScript(request.model.slice(MODEL_PREFIX.length), [{ path: "turns", message }]);
  }
  const blocks = await playTurn(turn, situation, emit, signal);
  signal.throwIfAborted();
  if (turn.error !== undefined) throw scriptedError(turn.error, request.model);
  const stopReason = blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  return { blocks, stopReason: turn.stop_reason ?? stopReason, usage: turn.usage ?? estimate(request, blocks) };
}

/**
 * A provider without a network: the model `scripted` answers with the prompt, `scripted:FILE` plays the script in FILE.
 * Between requests the provider keeps only the scripts it has read.
 */
export function createScriptedProvider({ cwd }: { readonly cwd: string }): Provider {
  const scripts = new Map<string, Promise<ModelScript>>();
  const load = (model: string): Promise<ModelScript> => {
    if (!model.startsWith(MODEL_PREFIX)) return Promise.resolve(ECHO);
    const script = scripts.get(model) ?? readModelScript(model.slice(MODEL_PREFIX.length), cwd);
    scripts.set(model, script);
    return script;
  };
  return {
    id: "scripted",
    warm: async (model) => void (await load(model)),
    ask: async (request, emit, signal) => {
      signal.throwIfAborted();
      return play(await load(request.model), request, emit, signal);
    },
  };
}
