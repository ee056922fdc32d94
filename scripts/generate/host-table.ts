import { fieldShapesOf, HOST_OPERATIONS, HOST_PUSH, shapeOf } from "claw-contract/schemas";
import { parsedObject } from "./parsed-data.ts";

const FILE = "packages/contract/src/wire/terminal-host/host-shapes.generated.ts";

/** The terminal host's operations as plain data, for programs that start without the schema library. */
export function hostTable(): Map<string, string> {
  const shapes = Object.entries(HOST_OPERATIONS).map(([name, { request, reply }]): [string, unknown] => [
    name,
    { request: fieldShapesOf(request, name), reply: fieldShapesOf(reply, `${name} reply`) },
  ]);
  const push = Object.entries(shapeOf(HOST_PUSH, "push"));
  const text = [
    "// Made by `npm run generate`. Edit the terminal host's contract instead.",
    'import type { HostShapes } from "./host-table.ts";',
    'import type { HostOperation } from "./host-types.ts";',
    'import type { Shape } from "../shape.ts";',
    "",
    "/** The shapes of every operation's request and reply. */",
    `export const HOST_SHAPES = ${parsedObject(shapes)} as Readonly<Record<HostOperation, HostShapes>>;`,
    "",
    "/** The shape of what the host sends without a request. */",
    `export const HOST_PUSH_SHAPE = ${parsedObject(push)} as Shape;`,
    "",
  ];
  return new Map([[FILE, text.join("\n")]]);
}
