import { fieldShapesOf, REQUESTS } from "claw-contract/schemas";
import { parsedObject } from "./parsed-data.ts";
import { shortObjects } from "./short-shapes.ts";

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

/** Functions, because a program sees few of all replies and V8 compiles only the functions that it calls. */
function replies(): string {
  const { short, shared } = shortObjects(
    Object.fromEntries(sorted.map(([name, { reply }]) => [name, fieldShapesOf(reply, `${name} reply`)])),
  );
  const lines = short.map(([name, fields]) => `  ${JSON.stringify(name)}: () => (${JSON.stringify(fields)}),`);
  const list = shared.map((shape) => `  ${JSON.stringify(shape)},`);
  return file(
    'import type { SharedShapes } from "./reply-check.ts";\nimport type { RequestName } from "./wire-types.ts";',
    "Shapes that several replies share.",
    [
      `export const SHARED_SHAPES = (): SharedShapes => [\n${list.join("\n")}\n];\n`,
      "/** The fields of every reply, written short. */",
      `export const REPLY_SHAPES: Readonly<Record<RequestName, () => object>> = {\n${lines.join("\n")}\n};`,
    ].join("\n"),
  );
}

/** The requests of the wire as plain data, for programs that start without the schema library. */
export const wireTable = (): Map<string, string> =>
  new Map([
    ["packages/contract/src/wire/request-specs.generated.ts", specs()],
    ["packages/contract/src/wire/reply-shapes.generated.ts", replies()],
  ]);
