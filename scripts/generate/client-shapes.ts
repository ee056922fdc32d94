import type { Shape } from "claw-contract";
import type { EventRow, SharedShapes } from "claw-contract/schemas";
import { eventLine, EVENTS, fieldShapesOf, REQUESTS, SentEnvelope, shapeOf } from "claw-contract/schemas";
import { createShortener } from "./short-shapes.ts";
import type { Signing } from "./sign-pieces.ts";
import { signPieces } from "./sign-pieces.ts";

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
  return rows.map(({ pattern, name }, index) => eventLine({ pattern, name, shape: shorten(shapes[index] as Shape) }));
}

/** A text of several lines, as code. */
const asTemplate = (lines: readonly string[]): string => `\`${lines.join("\n")}\``;

function sharedShapes(shapes: SharedShapes["shapes"], sign: Signing): string {
  const signed = shapes.map((shape) => `    ${JSON.stringify(typeof shape === "string" ? sign.text(shape) : shape)},`);
  return `{\n  pieces: ${JSON.stringify(sign.pieces)},\n  shapes: [\n${signed.join("\n")}\n  ],\n}`;
}

const textsIn = (shapes: SharedShapes["shapes"]): string[] => shapes.filter((shape) => typeof shape === "string");

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
  const lines = promising.map(([name, shape]) => `${name} ${shorten(shape)}`);
  const envelopeText = shorten(envelope);
  const sign = signPieces([...lines, envelopeText, ...events, ...textsIn(shared)]);
  return [
    BANNER,
    'import type { SharedShapes, ShortShape } from "./short-shape.ts";',
    "",
    "/** Shapes that several replies and events share. */",
    `export const SHARED_SHAPES: SharedShapes = ${sharedShapes(shared, sign)};`,
    "",
    "/** The name of each request whose reply has fields, and these fields. */",
    `export const REPLIES = ${asTemplate(lines.map(sign.text))};`,
    "",
    "/** The envelope of an event, as a peer sends it. */",
    `export const ENVELOPE_SHAPE: ShortShape = ${JSON.stringify(sign.text(envelopeText))};`,
    "",
    "/** The events of the namespaces that clients publish in. The first whose pattern covers a topic decides. */",
    `export const CLIENT_EVENTS = ${asTemplate(events.map(sign.text))};`,
    "",
  ].join("\n");
}

/** The other events. */
function otherEvents(): string {
  const rows = EVENTS.filter((row) => !isOfClients(row));
  const { shorten, shared } = createShortener(shapesOfEvents(rows));
  const events = eventLines(rows, shorten);
  const sign = signPieces([...events, ...textsIn(shared)]);
  return [
    BANNER,
    'import type { SharedShapes } from "../wire/short-shape.ts";',
    "",
    "/** Shapes that several of these events share. */",
    `export const SHARED_OTHER_SHAPES: SharedShapes = ${sharedShapes(shared, sign)};`,
    "",
    "/** The events of the other namespaces. */",
    `export const OTHER_EVENTS = ${asTemplate(events.map(sign.text))};`,
    "",
  ].join("\n");
}

/** Shapes of replies and events for programs without the schema library, as short as they can be. */
export const clientShapeFiles = (): Map<string, string> =>
  new Map([
    ["packages/contract/src/wire/short-shapes.generated.ts", clientShapes()],
    ["packages/contract/src/events/other-events.generated.ts", otherEvents()],
  ]);
