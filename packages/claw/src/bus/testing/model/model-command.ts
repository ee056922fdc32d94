import * as fc from "fast-check";
import type { Beginning, BusModel, Stream } from "./bus-model.ts";
import type { Frame, Link, Reality } from "./model-world.ts";
import { compare, pushesOf } from "./model-world.ts";

export type Command = fc.AsyncCommand<BusModel, Reality>;

/** Those with a token of the bus to come back with, and one that names itself. */
export const SLOTS = [0, 1, 2];
export const NAMED_SLOT = 2;
export const TOPICS = ["note.a.inject_text", "note.b.inject_text"] as const;
export const PATTERNS = [
  "note.**",
  "note.a.*",
  "note.+.inject_text",
  "system.peer.*",
  "**",
  "note.b.inject_text",
] as const;
export const DURABLES = { one: "note.**", two: "note.a.*" } as const;
export const CAPABILITIES = ["receipts", "gap", "durable", "resume"];

export const linkOf = (model: BusModel, { links }: Reality, slot: number): Link => {
  const link = links[model.clients.get(slot)?.connection ?? -1];
  if (link === undefined) throw new Error(`nobody is connected in slot ${slot}`);
  return link;
};

export const received =
  (reality: Reality) =>
  (stream: Stream): number =>
    pushesOf(reality, stream).length;

export const isHere =
  (slot: number) =>
  (model: Readonly<BusModel>): boolean =>
    model.clients.has(slot);

/** A step of the model and the bus, after which every client has to have been pushed the same by both. */
export const command = (
  name: string,
  check: (model: Readonly<BusModel>) => boolean,
  step: (model: BusModel, reality: Reality) => Promise<void>,
): Command => ({
  check,
  run: async (model, reality) => {
    await step(model, reality);
    await compare(model, reality);
  },
  toString: () => name,
});

/** Where to begin: now, at the beginning, or at a share of the log. */
export const place = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });

export const placeIn = ({ log }: BusModel, percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : Math.floor((log.length * percent) / 100);

export const cursorAt = (sequence: number | undefined): Frame =>
  sequence === undefined ? {} : { fromCursor: sequence === 0 ? "0000:0" : `0001:${sequence}` };

export const beginningAt = ({ log }: BusModel, from: number | undefined): Beginning => ({
  from: from ?? log.length,
  historic: from !== undefined,
});
