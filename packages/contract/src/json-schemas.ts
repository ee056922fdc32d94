import * as z from "zod";
import { AgentAnswer, AgentQuestion } from "./runs/agent-question.ts";
import { ClawEnvelope, FlatEnvelope, ResponseEnvelope } from "./envelopes/envelope-schemas.ts";
import { ENVELOPE_SCHEMA, schemaByName, schemaNames } from "./events/index.ts";
import { FakeScenario } from "./runs/fake-scenario.ts";
import type { JsonObject } from "./json.ts";
import { ModelScript } from "./models/model-script.ts";
import { RunResult } from "./runs/run-result.ts";
import { SessionRecord } from "./sessions/session-record.ts";
import { Settings } from "./settings/settings.ts";
import { verbId } from "./verb/verb-words.ts";
import { VERBS } from "./verbs/index.generated.ts";
import { wireJsonSchema } from "./wire/document-request.ts";
import { REQUESTS } from "./wire/requests/index.generated.ts";

interface NamedSchema {
  readonly schema: z.ZodType;
  /** Inputs are described as a caller writes them, defaults left out. */
  readonly io: "input" | "output";
}

function namedSchemas(): Map<string, NamedSchema> {
  const named = new Map<string, NamedSchema>();
  const add = (name: string, schema: z.ZodType, io: "input" | "output" = "output"): unknown =>
    named.set(name, { schema, io });
  for (const verb of Object.values(VERBS)) {
    add(`${verbId(verb.name)}.input`, verb.input, "input");
    add(`${verbId(verb.name)}.output`, verb.output);
  }
  for (const name of [ENVELOPE_SCHEMA, ...schemaNames()]) add(`event.${name}`, schemaByName(name) ?? z.unknown());
  add("agent-answer", AgentAnswer);
  add("agent-question", AgentQuestion);
  add("envelope.claw", ClawEnvelope);
  add("envelope.flat", FlatEnvelope);
  add("envelope.response", ResponseEnvelope);
  add("run-result", RunResult);
  add("fake-scenario", FakeScenario, "input");
  add("model-script", ModelScript, "input");
  add("session-record", SessionRecord);
  add("settings", Settings);
  return new Map([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The schemas of a request and its reply, by name. */
const wireSchemas = (): Map<string, () => JsonObject> =>
  new Map(
    Object.values(REQUESTS).flatMap(({ name, request, reply }) => [
      [`wire.${name}.request`, () => wireJsonSchema(request, "input")],
      [`wire.${name}.reply`, () => wireJsonSchema(reply, "output")],
    ]),
  );

/** The names of every schema that can be asked for, sorted. */
export const jsonSchemaNames = (): string[] => [...namedSchemas().keys(), ...wireSchemas().keys()].toSorted();

/** One schema as JSON Schema 2020-12, or undefined for a name that is not known. */
export function jsonSchema(name: string): JsonObject | undefined {
  const wire = wireSchemas().get(name);
  if (wire !== undefined) return { title: name, ...wire() };
  const named = namedSchemas().get(name);
  if (named === undefined) return undefined;
  return { title: name, ...z.toJSONSchema(named.schema, { io: named.io, unrepresentable: "any" }) };
}
