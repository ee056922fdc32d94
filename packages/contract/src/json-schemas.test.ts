import { expect, test } from "vitest";
import { jsonSchema, jsonSchemaNames } from "./json-schemas.ts";
import { verbId } from "./verb/verb-words.ts";
import { VERBS } from "./verbs/index.generated.ts";

test("every verb has a schema of its input and one of its output, and the names are sorted", () => {
  const names = jsonSchemaNames();
  expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(names).toEqual(
    expect.arrayContaining([
      ...Object.keys(VERBS).flatMap((verb) => [`${verbId(verb)}.input`, `${verbId(verb)}.output`]),
      "envelope.claw",
      "envelope.flat",
      "envelope.response",
      "session-record",
      "settings",
    ]),
  );
});

test.each(jsonSchemaNames())("%s is JSON Schema 2020-12 that survives JSON", (name) => {
  const schema = jsonSchema(name);
  expect(schema).toMatchObject({ title: name, $schema: "https://json-schema.org/draft/2020-12/schema" });
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

test("an input is described as a caller writes it, so what has a default is not required", () => {
  expect(jsonSchema("list-sessions.input")?.["required"]).toBeUndefined();
  expect(jsonSchema("delete-session.input")?.["required"]).toEqual(["sessionId"]);
});

test("an unknown name has none", () => {
  expect([jsonSchema("nope"), jsonSchema("toString"), jsonSchema("")]).toEqual([undefined, undefined, undefined]);
});
