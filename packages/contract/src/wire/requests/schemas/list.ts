import * as z from "zod";
import { defineRequest } from "../../define-request.ts";

export const listSchemasRequest = defineRequest({
  name: "schema.list",
  summary: "Lists the names of the event schemas.",
  from: "any client",
  effect: "read",
  request: z.object({}),
  reply: z.object({ schemas: z.array(z.string()) }),
});
