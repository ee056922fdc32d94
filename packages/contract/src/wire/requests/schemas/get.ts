import * as z from "zod";
import { defineRequest, Word } from "../../define-request.ts";

export const showSchemaRequest = defineRequest({
  name: "schema.get",
  summary: "Shows an event schema as a tree of types.",
  from: "any client",
  effect: "read",
  request: z.object({ name: Word }),
  reply: z.object({ name: z.string(), schema: z.unknown() }),
});
