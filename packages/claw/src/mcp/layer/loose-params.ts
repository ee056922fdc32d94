import type { StandardSchemaV1 } from "@modelcontextprotocol/server";

/** Parameters that their handler checks itself. */
export const looseParams: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "claw", validate: (value) => ({ value }) },
};
