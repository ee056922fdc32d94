import type { JsonObject, Notes, VerbName, VerbOutput, VerbSpec } from "claw-contract";
import { ClawError, etagOf } from "claw-contract";
import { capAnswer, isSpooled } from "./cap-answer.ts";
import type { Handler, Ports } from "./handle.ts";
import { HANDLERS } from "./handlers.generated.ts";
import type { Paint } from "./paint.ts";
import { requirePlatform } from "./require-platform.ts";
import { requireWholeFolder } from "./require-whole-folder.ts";
import { VERB_SPECS } from "./verb-table.generated.ts";

export type VerbResult =
  | { readonly kind: "data"; readonly data: JsonObject; readonly notes: Notes }
  | { readonly kind: "not-modified"; readonly notes: Notes };

/** Calls one verb with an input its schema would accept. Rejects with ClawError only. */
export async function runVerb(verb: VerbName, input: JsonObject, ports: Ports): Promise<VerbResult> {
  const spec = specOf(verb);
  requirePlatform(spec);
  requireWholeFolder(verb, ports.cwd);
  const data = await runHandler(verb, spec, input, ports);
  const tag = spec.cacheable ? { etag: etagOf(data) } : {};
  if (tag.etag !== undefined && input["ifNoneMatch"] === tag.etag) {
    return { kind: "not-modified", notes: { ...ports.notes.notes(), ...tag } };
  }
  const capped = capAnswer(spec, data, ports);
  return { kind: "data", data: capped, notes: { ...ports.notes.notes(), ...tag } };
}

function specOf(verb: VerbName): VerbSpec {
  const spec = VERB_SPECS.find((candidate) => candidate.name === verb);
  if (spec !== undefined) return spec;
  throw new ClawError("UNKNOWN_COMMAND", `'${verb}' is no command of claw`, {
    operation: "resolve_command",
    target: verb,
  });
}

/** The loader table is typed verb by verb; here the verb is only known at run time. */
const loadHandler = HANDLERS as unknown as Record<VerbName, () => Promise<Handler<VerbName>>>;

async function runHandler(verb: VerbName, spec: VerbSpec, input: JsonObject, ports: Ports): Promise<JsonObject> {
  const handler = await loadHandler[verb]();
  const run = async (): Promise<JsonObject> => {
    try {
      return await finish(handler.run(input, ports), ports);
    } catch (error) {
      // The end of the call closes the bus. The reason of the end is the answer.
      if (error instanceof ClawError && error.code === "BUS_CLOSED") ports.signal.throwIfAborted();
      throw error;
    }
  };
  const key = input["idempotencyKey"];
  if (spec.effect === "read" || typeof key !== "string" || input["dryRun"] === true) return run();
  const { runOnce } = await import("./idempotency.ts");
  return runOnce({ verb, key, input, shownOnce: spec.shownOnce ?? [] }, ports, run);
}

type Running = ReturnType<Handler<VerbName>["run"]>;

/** Passes items on as they come and waits for the answer behind them. */
async function finish(running: Running, { emit }: Ports): Promise<JsonObject> {
  if (!(Symbol.asyncIterator in running)) return running;
  try {
    for (;;) {
      const step = await running.next();
      if (step.done) return step.value;
      await emit(step.value);
    }
  } finally {
    // A verb can tidy up also when the reader of the items stops early.
    await running.return(undefined as never);
  }
}

interface ItemShower {
  readonly showItem?: (item: unknown, paint: Paint) => string;
}

/** The text of one item of a verb, for a person. */
export async function showItem(verb: VerbName, item: unknown, paint: Paint): Promise<string> {
  const { showItem: show } = (await loadHandler[verb]()) as unknown as ItemShower;
  return show === undefined ? JSON.stringify(item) : show(item, paint);
}

/** The text of a verb's answer, for a person. */
export async function showVerb(verb: VerbName, data: JsonObject, paint: Paint): Promise<string> {
  const handler = await loadHandler[verb]();
  return isSpooled(data) ? `The answer is in ${data.file}` : handler.show(data as VerbOutput<VerbName>, paint);
}
