import type { JsonObject, Verb, VerbName } from "claw-contract";
import { LIMITS, verbId } from "claw-contract";
import type * as Schemas from "claw-contract/schemas";
import { runVerb } from "../../verbs/index.ts";
import type { ToolDefinition } from "../layer/tool.ts";
import { refuseNul, refuseStage } from "./call-verb.ts";
import { shownResult } from "./claws-tool.ts";
import { readArguments } from "./read-arguments.ts";
import { LONGEST_WAIT_MS, withTimeLimit } from "./time-limit.ts";
import type { ToolHost, ToolPorts } from "./tool-host.ts";

/** A larger answer is put into a file, which the result names. */
const ANSWER_BYTES = 64 * 1024;

const toolName = (verb: string): string => `claw_${verbId(verb).replaceAll("-", "_")}`;

/** A verb's output: whole, or in a file, or the error that stopped the verb. */
function outputOf(schema: JsonObject): JsonObject {
  const { anyOf, properties, ...rest } = schema;
  return {
    ...rest,
    properties: { ...(properties as JsonObject), file: {} },
    anyOf: [...(anyOf as readonly unknown[]), { required: ["file", "truncated"] }, { required: ["not_modified"] }],
  };
}

/** A verb that would become the process, or end it, cannot run inside of the server. */
function refuseProcess({ name, plays }: Verb, input: JsonObject): void {
  if (plays || input["foreground"] === true) refuseStage(name as VerbName);
}

/**
 * How long a verb may take. One that waits or follows is ended in time for its answer; one that works without a limit,
 * such as an agent's run, goes on until the client gives it up.
 */
function limitOf({ unlimited, effect }: Verb): number | undefined {
  if (!unlimited) return LIMITS.verbTimeoutSeconds * 1000;
  return effect === "read" ? LONGEST_WAIT_MS : undefined;
}

async function answerOf(verb: Verb, input: JsonObject, ports: ToolPorts): Promise<JsonObject> {
  const run = (limited: ToolPorts) =>
    runVerb(verb.name as VerbName, input, { ...limited, maxAnswerBytes: ANSWER_BYTES });
  const ms = limitOf(verb);
  const answer = ms === undefined ? await run(ports) : await withTimeLimit(ports, { ms, target: verb.name }, run);
  const { warnings, page: _page, ...notes } = answer.notes;
  const told = { ...notes, ...(warnings.length === 0 ? {} : { warnings }) };
  return answer.kind === "data" ? { ...answer.data, ...told } : { not_modified: true, ...told };
}

/** The tool of a verb: the verb's own input, output, summary and effect. */
export function verbTool(verb: Verb, host: ToolHost, schemas: typeof Schemas): ToolDefinition {
  const { name, summary, effect, group } = verb;
  const schema = verb.input.strict();
  const inputSchema = schemas.toolInputSchema(schema);
  return {
    name: toolName(name),
    title: `claw ${name}`,
    description: summary,
    inputSchema,
    outputSchema: outputOf(schemas.toolOutputSchema(verb.output)),
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: effect !== "read",
      idempotentHint: effect === "read",
      openWorldHint: group === "ask",
    },
    run: async (input, call) => {
      const given = readArguments({ name: toolName(name), schema, shown: inputSchema }, input) as JsonObject;
      refuseNul(given);
      refuseProcess(verb, given);
      return host.during(call.signal, async (ports) => shownResult(host, await answerOf(verb, given, ports)));
    },
  };
}

/** Writing verbs that a worker may call. The bus limits them to the worker's rights. */
const WORKER_VERBS: ReadonlySet<string> = new Set(["spawn", "publish"]);

/**
 * Verbs that only ask the daemon, over the caller's own place on the bus. Other reading verbs read files of the user, in
 * the process of the daemon.
 */
const GUEST_VERBS: ReadonlySet<string> = new Set([
  "approvals",
  "diff",
  "events",
  "lifecycle show",
  "logs",
  "machines",
  "peers",
  "pipeline list",
  "ps",
  "tasks list",
  "terminal list",
  "tokens list",
  "wait",
  "wave status",
]);

/**
 * Whether a verb has a tool for a caller that is no orchestrator. A caller that started this process can read what the
 * process can; a guest, who came with a token, cannot.
 */
export const isForWorkers = ({ name, effect }: Verb, isGuest: boolean): boolean =>
  isGuest ? GUEST_VERBS.has(name) : effect === "read" || WORKER_VERBS.has(name);
