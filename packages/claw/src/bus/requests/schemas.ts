import { schemaNames, schemaTree } from "claw-contract/schemas";
import { error, handleRequest, ok } from "./request-handler.ts";

export const handleListSchemas = handleRequest("schema.list", (_call, done) => done(ok({ schemas: schemaNames() })));

export const handleShowSchema = handleRequest("schema.get", ({ request: { name } }, done) => {
  const schema = schemaTree(name);
  return done(schema === undefined ? error(`schema.get:not-found:${name}`) : ok({ name, schema }));
});
