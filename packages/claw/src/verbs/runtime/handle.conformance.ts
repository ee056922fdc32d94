import type { JsonObject, VerbName } from "claw-contract";
import { ClawError, errorsOf } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { expect } from "vitest";
import type { Ports } from "./handle.ts";
import { runVerb, showVerb } from "./run-verb.ts";
import { PLAIN } from "../testing/test-ports.ts";

/** Calls a verb as a face does: input as its schema makes it. What it answers and raises must be what it declares. */
export async function callVerb(verb: VerbName, given: JsonObject, ports: Ports) {
  const input = VERBS[verb].input.parse(given) as JsonObject;
  try {
    const result = await runVerb(verb, input, ports);
    if (result.kind === "data" && result.notes.truncated !== true) {
      const parsed = VERBS[verb].output.safeParse(result.data);
      expect({ verb, problem: parsed.error?.issues }).toEqual({ verb, problem: undefined });
      expect(await showVerb(verb, result.data, PLAIN)).not.toMatch(/\n$|undefined|\[object/);
    }
    return result;
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    expect(errorsOf(VERBS[verb])).toContain(error.code);
    return { kind: "failure" as const, code: error.code, error };
  }
}
