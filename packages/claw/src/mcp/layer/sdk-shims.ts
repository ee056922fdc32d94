/**
 * The build puts this module in the place of the SDK's own, which holds a validator of JSON Schemas that the server
 * does not use and that is a fifth of the bundle.
 */
import type { jsonSchemaValidator } from "@modelcontextprotocol/server";
import { anyJson } from "./schema-validator.ts";

export { default as process } from "node:process";

/** What the SDK would make for a server that is given no validator. */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  readonly getValidator = anyJson.getValidator.bind(anyJson) as jsonSchemaValidator["getValidator"];
}
