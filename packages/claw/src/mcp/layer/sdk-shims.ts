import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/** The SDK imports it. @public */
export { default as process } from "node:process";

/**
 * Validator of the SDK for answers of people. It passes every answer, because the tools check the answers. The build
 * replaces the SDK's validator module by this module: the SDK's validator is a fifth of the bundle.
 */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  readonly getValidator: jsonSchemaValidator["getValidator"] = () => (input) => ({
    valid: true,
    data: input as never,
    errorMessage: undefined,
  });
}
