import { asyncapiDocument, jsonSchema, jsonSchemaNames } from "claw-contract/schemas";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** One JSON Schema a file, and the topics as AsyncAPI. */
export function schemaFiles(): Map<string, string> {
  const schemas = jsonSchemaNames().map((name): [string, string] => [
    `docs/generated/schemas/${name}.json`,
    json(jsonSchema(name)),
  ]);
  return new Map([...schemas, ["docs/generated/asyncapi.json", json(asyncapiDocument())]]);
}
