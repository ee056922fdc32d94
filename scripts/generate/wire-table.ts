import { fieldShapesOf, REQUESTS } from "claw-contract/schemas";
import { parsedObject } from "./parsed-data.ts";

const BANNER = "// Made by `npm run generate`. Edit the request's contract instead.";

const sorted = Object.entries(REQUESTS).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** A source file with one constant. */
const file = (imports: string, comment: string, constant: string): string =>
  [BANNER, imports, "", `/** ${comment} */`, constant, ""].join("\n");

function specs(): string {
  const entries = sorted.map(([name, { from, effect, request, ...more }]): [string, unknown] => {
    const code = "code" in more ? { code: more.code } : {};
    const routedBy = "routedBy" in more ? { routedBy: more.routedBy } : {};
    return [name, { from, effect, ...routedBy, ...code, fields: fieldShapesOf(request, name) }];
  });
  return file(
    'import type { RequestSpec } from "./wire-table.ts";\nimport type { RequestName } from "./wire-types.ts";',
    "Every request: its senders and the shapes of its fields.",
    `export const REQUEST_SPECS = ${parsedObject(entries)} as Readonly<Record<RequestName, RequestSpec>>;`,
  );
}

/** The requests of the wire as plain data, for programs that start without the schema library. */
export const wireTable = (): Map<string, string> =>
  new Map([["packages/contract/src/wire/request-specs.generated.ts", specs()]]);
