import type { JsonObject, ToolInput, ToolName, ToolOutput } from "claw-contract";
import { keptJson } from "../../verbs/index.ts";
import { JsonText, printMembers } from "../layer/json-text.ts";
import type { ToolAnswer, McpToolCall, ToolDefinition } from "../layer/tool.ts";
import type { ToolHost, ToolPorts } from "./tool-host.ts";
import { readArguments } from "./read-arguments.ts";
import { DEFAULT_FACES } from "./tool-faces.generated.ts";

/** The data of a tool that is done, and the text for clients that read only text; without it, the data as JSON. */
export interface ToolData<N extends ToolName> {
  readonly data: ToolOutput<N>;
  readonly text?: string;
}

/** What a tool works with: the ports of this call, and what the connection keeps between calls. */
export interface ToolWork {
  readonly ports: ToolPorts;
  readonly host: ToolHost;
  readonly call: McpToolCall;
  /** Time at which the call came. What the call did before it waits counts, such as the start of workers. */
  readonly begunMs: number;
}

/** A handler answers with data, or, where a call may go on, with a task or a question. */
export type ToolHandler<N extends ToolName> = (
  input: ToolInput<N>,
  work: ToolWork,
) => Promise<ToolData<N> | ToolAnswer>;

export const isToolAnswer = (given: object): given is ToolAnswer => "kind" in given;

/** A member of a result; a list whose JSON was kept is not printed again. */
function printedOr(value: unknown): unknown {
  const kept = keptJson(value);
  return kept === undefined ? value : new JsonText(kept, value);
}

/** The result of a tool, without secrets. */
export function shownResult(host: ToolHost, given: JsonObject, text?: string): ToolAnswer {
  const shown = host.shown(given);
  const data = Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, printedOr(value)]));
  return { kind: "result", data, text: text === undefined ? printMembers(data) : host.shownText(text) };
}

/** Ties a handler to its tool. */
export function clawsTool<N extends ToolName>(name: N, host: ToolHost, handler: ToolHandler<N>): ToolDefinition {
  const face = DEFAULT_FACES.find((each) => each.name === name);
  if (face === undefined) throw new Error(`no tool is called ${name}`);
  return {
    ...face,
    run: async (input, call) => {
      const begunMs = Date.now();
      const { DEFAULT_TOOLS } = await import("claw-contract/schemas");
      const taken = { name, schema: DEFAULT_TOOLS[name].input, shown: face.inputSchema };
      const given = readArguments(taken, input) as ToolInput<N>;
      return host.during(call.signal, async (ports) => {
        const answer = await handler(given, { ports, host, call, begunMs });
        return isToolAnswer(answer) ? answer : shownResult(host, answer.data, answer.text);
      });
    },
  };
}
