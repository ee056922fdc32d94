import type { Shape } from "claw-contract";
import type { EventRow } from "claw-contract/schemas";
import { eventLine, EVENTS, fieldShapesOf, publishersOf, REQUESTS, SentEnvelope, shapeOf } from "claw-contract/schemas";
import { createShortener } from "./short-shapes.ts";

const BANNER = "// Made by `npm run generate`. Edit the contract of the request or the schema of the event instead.";

/** Whether a rule names the event for a peer. The others are the server's, or what an orchestrator may publish besides. */
const isPublished = ({ address }: EventRow): boolean =>
  publishersOf(address).some(({ role, topics }) => role !== "server" && topics !== "**");

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

/** What every client carries: replies, and the events that peers publish. */
function clientShapes(): string {
  const rows = EVENTS.filter(isPublished);
  const envelope = shapeOf(SentEnvelope, "envelope");
  const { shorten, shared } = createShortener([
    envelope,
    ...replies.map(([, shape]) => shape),
    ...shapesOfEvents(rows),
  ]);
  const events = eventLines(rows, shorten);
  const short = replies.map(([name, shape]) => `  ${JSON.stringify(name)}: ${JSON.stringify(shorten(shape))},`);
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
    "/** The fields of every reply. */",
    `export const REPLY_SHAPES: Readonly<Record<RequestName, ShortShape>> = {\n${short.join("\n")}\n};`,
    "",
    "/** The envelope of an event, as a peer sends it. */",
    `export const ENVELOPE_SHAPE: ShortShape = ${envelopeText};`,
    "",
    "/** The events that peers publish. The first whose pattern covers a topic decides. */",
    `export const PUBLISHED_EVENTS: readonly EventLine[] = ${listed(events)};`,
    "",
  ].join("\n");
}

/** The other events. */
function serverEvents(): string {
  const rows = EVENTS.filter((row) => !isPublished(row));
  const { shorten, shared } = createShortener(shapesOfEvents(rows));
  const events = eventLines(rows, shorten);
  return [
    BANNER,
    'import type { SharedShapes } from "../wire/short-shape.ts";',
    'import type { EventLine } from "./event-table.ts";',
    "",
    "/** Shapes that several of these events share. */",
    `export const SHARED_SERVER_SHAPES: SharedShapes = ${sharedList(shared)};`,
    "",
    "/** The events that the server publishes. */",
    `export const SERVER_EVENTS: readonly EventLine[] = ${listed(events)};`,
    "",
  ].join("\n");
}

/** Shapes of replies and events for programs without the schema library, as short as they can be. */
export const clientShapeFiles = (): Map<string, string> =>
  new Map([
    ["packages/contract/src/wire/short-shapes.generated.ts", clientShapes()],
    ["packages/contract/src/events/server-events.generated.ts", serverEvents()],
  ]);
