import { fieldShapesOf, REQUESTS, shortenShape } from "@claw/contract/schemas";
import { parsedObject, quoted } from "./parsed-data.ts";

const BANNER = "// Made by `npm run generate`. Edit the request's contract instead.";

const sorted = Object.entries(REQUESTS).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** A source file with one constant. */
const file = (imports: string, comment: string, constant: string): string =>
  [BANNER, imports, "", `/** ${comment} */`, constant, ""].join("\n");

function specs(): string {
  const entries = sorted.map(([name, { from, effect, request, ...more }]): [string, unknown] => {
    const code = "code" in more ? { code: more.code } : {};
    return [name, { from, effect, ...code, fields: fieldShapesOf(request, name) }];
  });
  return file(
    'import type { RequestSpec } from "./wire-table.ts";\nimport type { RequestName } from "./wire-types.ts";',
    "Every request: its senders and the shapes of its fields.",
    `export const REQUEST_SPECS = ${parsedObject(entries)} as Readonly<Record<RequestName, RequestSpec>>;`,
  );
}

/** Each reply's shapes are a text of their own, which is parsed when the reply is first seen. */
function replies(): string {
  const lines = sorted.map(([name, { reply }]) => {
    const shapes = Object.entries(fieldShapesOf(reply, `${name} reply`));
    const text = JSON.stringify(Object.fromEntries(shapes.map(([field, shape]) => [field, shortenShape(shape)])));
    return `  ${JSON.stringify(name)}: ${quoted(text)},`;
  });
  return file(
    'import type { RequestName } from "./wire-types.ts";',
    "The shapes of every reply's fields, each as JSON of short shapes.",
    `export const REPLY_SHAPES: Readonly<Record<RequestName, string>> = {\n${lines.join("\n")}\n};`,
  );
}

/** The requests of the wire as plain data, for programs that start without the schema library. */
export const wireTable = (): Map<string, string> =>
  new Map([
    ["packages/contract/src/wire/request-specs.generated.ts", specs()],
    ["packages/contract/src/wire/reply-shapes.generated.ts", replies()],
  ]);
