import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/**
 * The SDK checks answers of people with it. Tools check what they asked for themselves, and the SDK's own validator
 * would double the size of the program.
 */
export const anyJson: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};
