import type { Shape } from "claw-contract";
import type { EventRow } from "claw-contract/schemas";
import { eventLine, EVENTS, fieldShapesOf, REQUESTS, SentEnvelope, shapeOf } from "claw-contract/schemas";
import { createShortener } from "./short-shapes.ts";

const BANNER = "// Made by `npm run generate`. Edit the contract of the request or the schema of the event instead.";

/** The namespaces that clients publish in. Their events are checked in the client too, those of others by the bus alone. */
const OF_CLIENTS: ReadonlySet<string> = new Set(["worker", "cmd", "task", "rpc"]);

const isOfClients = ({ pattern }: EventRow): boolean => OF_CLIENTS.has(pattern.split(".")[0] ?? "");

const replies = Object.entries(REQUESTS)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { reply }]): [string, Shape] => [name, { is: "object", fields: fieldShapesOf(reply, `${name} reply`) }]);

const shapesOfEvents = (rows: readonly EventRow[]): Shape[] => rows.map(({ schema, name }) => shapeOf(schema, name));

type Shorten = ReturnType<typeof createShortener>["shorten"];

function eventLines(rows: readonly EventRow[], shorten: Shorten): string[] {
  const shapes = shapesOfEvents(rows);
  return rows.map(({ pattern, name }, index) =>
    JSON.stringify(eventLine({ pattern, name, shape: shorten(shapes[index] as Shape) })),
  );
}

const listed = (lines: readonly string[]): string => `[\n${lines.map((line) => `  ${line},`).join("\n")}\n]`;

const sharedList = (shared: readonly unknown[]): string => listed(shared.map((shape) => JSON.stringify(shape)));

/** What every client carries: replies, and the events that clients publish. */
function clientShapes(): string {
  const rows = EVENTS.filter(isOfClients);
  const envelope = shapeOf(SentEnvelope, "envelope");
  const { shorten, shared } = createShortener([
    envelope,
    ...replies.map(([, shape]) => shape),
    ...shapesOfEvents(rows),
  ]);
  const events = eventLines(rows, shorten);
  const promising = replies.filter(([, shape]) => shape.is === "object" && Object.keys(shape.fields).length > 0);
  const short = promising.map(([name, shape]) => `  ${JSON.stringify(name)}: ${JSON.stringify(shorten(shape))},`);
  const envelopeText = JSON.stringify(shorten(envelope));
  return [
    BANNER,
    'import type { EventLine } from "../events/event-table.ts";',
    'import type { SharedShapes, ShortShape } from "./short-shape.ts";',
    'import type { RequestName } from "./wire-types.ts";',
    "",
    "/** Shapes that several replies and events share. */",
    `export const SHARED_SHAPES: SharedShapes = ${sharedList(shared)};`,
    "",
    "/** The fields of every reply that has fields. */",
    `export const REPLY_SHAPES: Readonly<Partial<Record<RequestName, ShortShape>>> = {\n${short.join("\n")}\n};`,
    "",
    "/** The envelope of an event, as a peer sends it. */",
    `export const ENVELOPE_SHAPE: ShortShape = ${envelopeText};`,
    "",
    "/** The events of the namespaces that clients publish in. The first whose pattern covers a topic decides. */",
    `export const CLIENT_EVENTS: readonly EventLine[] = ${listed(events)};`,
    "",
  ].join("\n");
}

/** The other events. */
function otherEvents(): string {
  const rows = EVENTS.filter((row) => !isOfClients(row));
  const { shorten, shared } = createShortener(shapesOfEvents(rows));
  const events = eventLines(rows, shorten);
  return [
    BANNER,
    'import type { SharedShapes } from "../wire/short-shape.ts";',
    'import type { EventLine } from "./event-table.ts";',
    "",
    "/** Shapes that several of these events share. */",
    `export const SHARED_OTHER_SHAPES: SharedShapes = ${sharedList(shared)};`,
    "",
    "/** The events of the other namespaces. */",
    `export const OTHER_EVENTS: readonly EventLine[] = ${listed(events)};`,
    "",
  ].join("\n");
}

/** Shapes of replies and events for programs without the schema library, as short as they can be. */
export const clientShapeFiles = (): Map<string, string> =>
  new Map([
    ["packages/contract/src/wire/short-shapes.generated.ts", clientShapes()],
    ["packages/contract/src/events/other-events.generated.ts", otherEvents()],
  ]);
