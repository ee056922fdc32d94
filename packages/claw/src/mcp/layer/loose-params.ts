import type { StandardSchemaV1 } from "@modelcontextprotocol/server";

/** A schema that accepts every value: the handler of the method checks its parameters. */
export const looseParams: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "claw", validate: (value) => ({ value }) },
};
