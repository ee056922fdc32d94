import type { JsonObject, ToolInput, ToolName, ToolOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { ToolAnswer, ToolCall, ToolDefinition } from "../layer/tool.ts";
import type { ToolHost, ToolPorts } from "./tool-host.ts";
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
  readonly call: ToolCall;
}

/** A handler answers with data, or, where a call may go on, with a task or a question. */
export type ToolHandler<N extends ToolName> = (
  input: ToolInput<N>,
  work: ToolWork,
) => Promise<ToolData<N> | ToolAnswer>;

export const isAnswer = (given: object): given is ToolAnswer => "kind" in given;

/** A schema of the schema library, as far as an input needs it. */
export interface InputSchema {
  safeParse(
    input: unknown,
  ):
    | { readonly success: true; readonly data: object }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const MAX_PROBLEMS = 10;

/** Reads the input of a tool by its contract. Throws INVALID_FLAG_VALUE, which names the problems. */
export function readArguments(name: string, schema: InputSchema, input: JsonObject): object {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  throw new ClawError("INVALID_FLAG_VALUE", problems.slice(0, MAX_PROBLEMS).join("; "), {
    operation: "read_tool_input",
    target: name,
    hint: "Correct the arguments; tools/list has their schema.",
  });
}

/** The result of a tool, without secrets. */
export function shownResult(host: ToolHost, data: JsonObject, text?: string): ToolAnswer {
  const shown = host.shown(data);
  return { kind: "result", data: shown, text: text === undefined ? JSON.stringify(shown) : host.shownText(text) };
}

/** Ties a handler to its tool. */
export function clawsTool<N extends ToolName>(name: N, host: ToolHost, handler: ToolHandler<N>): ToolDefinition {
  const face = DEFAULT_FACES.find((each) => each.name === name);
  if (face === undefined) throw new Error(`no tool is called ${name}`);
  return {
    ...face,
    run: async (input, call) => {
      const { DEFAULT_TOOLS } = await import("claw-contract/schemas");
      const given = readArguments(name, DEFAULT_TOOLS[name].input, input) as ToolInput<N>;
      return host.during(call.signal, async (ports) => {
        const answer = await handler(given, { ports, host, call });
        return isAnswer(answer) ? answer : shownResult(host, answer.data, answer.text);
      });
    },
  };
}
