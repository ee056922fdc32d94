import type { JsonObject, Notes, VerbInput, VerbName, VerbOutput } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { Ports } from "../../verbs/index.ts";
import { createNoteTaker, runVerb, VERB_SPECS } from "../../verbs/index.ts";

/** A verb that would take the streams of the server's own process. */
export function refuseStage(verb: VerbName): never {
  throw new ClawError("INTERACTIVE_ONLY", `claw ${verb} needs a process of its own`, {
    operation: "call_tool",
    target: verb,
    hint: `Run it in a shell: claw ${verb}.`,
  });
}

const closedInput: Ports["stdin"] = {
  isTerminal: () => false,
  isPiped: () => false,
  // eslint-disable-next-line no-empty-function -- no bytes come
  chunks: async function* () {},
};

/** The ports of one call: those of the server, without a person, a terminal or a standard input. */
export function callPorts(ports: Ports, signal: AbortSignal): Ports {
  return {
    ...ports,
    stdin: closedInput,
    live: null,
    terminal: null,
    openScreen: null,
    openRawTerminal: null,
    streaming: false,
    forPeople: false,
    verbose: false,
    emit: () => Promise.resolve(),
    announce: () => undefined,
    notes: createNoteTaker(),
    timeoutSeconds: null,
    maxAnswerBytes: LIMITS.answerBytes,
    format: { source: "default", raw: null, overridden: [] },
    signal,
  };
}

export interface CalledVerbAnswer<N extends VerbName> {
  readonly data: VerbOutput<N>;
  readonly notes: Notes;
}

/** Fields that a caller need not give: those with a default. */
type Given<N extends VerbName> = { readonly [K in keyof VerbInput<N>]?: VerbInput<N>[K] | undefined };

function defaultsOf(verb: VerbName): JsonObject {
  const spec = VERB_SPECS.find(({ name }) => name === verb);
  if (spec === undefined || spec.plays) return refuseStage(verb);
  return Object.fromEntries(
    spec.fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The input of a verb, with the defaults of the fields that were not given. */
export const withDefaults = <N extends VerbName>(verb: N, given: Given<N>): VerbInput<N> =>
  ({
    ...defaultsOf(verb),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }) as VerbInput<N>;

const hasNul = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasNul) : typeof value === "string" && value.includes("\0");

/** Refuses what no command line can hold: verbs and the system calls below them take no text with a NUL. */
export function refuseNul(input: JsonObject): void {
  const [name] = Object.entries(input).find(([, value]) => hasNul(value)) ?? [];
  if (name === undefined) return;
  throw new ClawError("INVALID_FLAG_VALUE", `${name}: has a NUL character`, {
    operation: "read_tool_input",
    target: name,
    hint: "Leave the NUL character out.",
  });
}

/** Calls a verb. Rejects with its error. */
export async function callVerb<N extends VerbName>(
  verb: N,
  given: Given<N>,
  ports: Ports,
): Promise<CalledVerbAnswer<N>> {
  refuseNul(given);
  const answer = await runVerb(verb, withDefaults(verb, given), ports);
  if (answer.kind === "data") return { data: answer.data as VerbOutput<N>, notes: answer.notes };
  throw new ClawError("INVALID_FLAG_VALUE", "the answer has not changed", { operation: "call_tool", target: verb });
}
