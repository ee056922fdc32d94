import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/** The SDK imports it. @public */
export { default as process } from "node:process";

/**
 * The SDK checks answers of people with it. Tools check what they asked for themselves, so every answer passes here. The
 * build also puts this module in the place of the SDK's own, whose validator is a fifth of the bundle.
 */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  readonly getValidator: jsonSchemaValidator["getValidator"] = () => (input) => ({
    valid: true,
    data: input as never,
    errorMessage: undefined,
  });
}
