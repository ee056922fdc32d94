import { describe, expect, test } from "vitest";
import { EVENTS, SentEnvelope } from "../events/index.ts";
import { createEventTable } from "../events/event-table.ts";
import { OTHER_EVENTS, SHARED_OTHER_SHAPES } from "../events/other-events.generated.ts";
import { REQUESTS } from "./requests/index.generated.ts";
import { fieldShapesOf, shapeOf } from "./shape-of.ts";
import type { FieldShape, Shape } from "./shape.ts";
import { replyShape } from "./check-shape.ts";
import { lengthen } from "./short-shape.ts";
import { ENVELOPE_SHAPE, CLIENT_EVENTS, SHARED_SHAPES } from "./short-shapes.generated.ts";

const FIELDS_OF_TEXT: Readonly<Record<string, FieldShape>> = {
  name: { is: "text" },
  tags: { is: "text", optional: true },
  list: { is: "list", of: { is: "text" }, min: 2 },
  n: { is: "text" },
};

const odd: Shape = { is: "text", pattern: "^a$" };

test.each<[string, Shape]>([
  ["t", { is: "text" }],
  ["t1", { is: "text", min: 1 }],
  ["t1-128", { is: "text", min: 1, max: 128 }],
  ["n-0.5", { is: "number", max: 0.5 }],
  ["w0-9", { is: "number", whole: true, min: 0, max: 9 }],
  ["b", { is: "boolean" }],
  ["T1-9", { is: "either", of: [{ is: "text", min: 1, max: 9 }, { is: "null" }] }],
  ["W", { is: "either", of: [{ is: "number", whole: true }, { is: "null" }] }],
  ["=a/b.c-d", { is: "word", of: ["a", "b.c-d"] }],
  ["#0|0", { is: "either", of: [{ is: "list", of: { is: "time" } }, { is: "null" }] }],
  ["[t|m]-3", { is: "list", of: { is: "either", of: [{ is: "text" }, { is: "moment" }] }, max: 3 }],
  ["%a|u", { is: "either", of: [{ is: "record", of: { is: "any" } }, { is: "uuid" }] }],
  [
    "{a?a,b:{c:#1},d:=x/y}",
    {
      is: "object",
      fields: {
        a: { is: "any", optional: true },
        b: { is: "object", fields: { c: odd } },
        d: { is: "word", of: ["x", "y"] },
      },
    },
  ],
  [
    "{id:t}&{n?w}|{b:b}",
    {
      is: "either",
      of: [
        { is: "object", fields: { id: { is: "text" }, n: { is: "number", whole: true, optional: true } } },
        { is: "object", fields: { id: { is: "text" }, b: { is: "boolean" } } },
      ],
    },
  ],
  ["{na!,tags?,list:[]2,$}", { is: "object", fields: FIELDS_OF_TEXT }],
  ["{}", { is: "object", fields: {} }],
])("%s is %j", (short, shape) => {
  expect(lengthen(short, { pieces: ["me:t", "n"], shapes: ["[z]", odd] })).toEqual(shape);
});

describe("the short form", () => {
  test.each(Object.values(REQUESTS))("loses nothing of the reply to $name", ({ name, reply }) => {
    expect(lengthen(replyShape(name), SHARED_SHAPES)).toEqual({
      is: "object",
      fields: fieldShapesOf(reply, name),
    });
  });

  const entries = [
    ...createEventTable(CLIENT_EVENTS, SHARED_SHAPES).entries,
    ...createEventTable(OTHER_EVENTS, SHARED_OTHER_SHAPES).entries,
  ];

  test.each(EVENTS)("loses nothing of $name", ({ name, schema, pattern }) => {
    const entry = entries.find((each) => each.name === name);
    expect([entry?.pattern, entry?.shape()]).toEqual([pattern, shapeOf(schema, name)]);
  });

  test("loses nothing of an event's envelope", () => {
    expect(lengthen(ENVELOPE_SHAPE, SHARED_SHAPES)).toEqual(shapeOf(SentEnvelope, "envelope"));
  });
});
