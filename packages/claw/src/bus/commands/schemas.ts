import { schemaNames, schemaTree } from "@claw/contract/schemas";
import { textOf } from "../wire/read-payload.ts";
import type { Command } from "./command.ts";
import { error, ok } from "./command.ts";

export const listSchemas: Command = {
  roles: undefined,
  run: (_call, done) => done(ok({ schemas: schemaNames() })),
};

export const showSchema: Command = {
  roles: undefined,
  run: ({ request }, done) => {
    const name = textOf(request["name"]);
    if (name === undefined) return done(error("schema.get:missing-name"));
    const schema = schemaTree(name);
    return done(schema === undefined ? error(`schema.get:not-found:${name}`) : ok({ name, schema }));
  },
};
