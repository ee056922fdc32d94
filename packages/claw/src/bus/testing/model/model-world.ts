import { isDeepStrictEqual } from "node:util";
import type { BusModel, Stream } from "./bus-model.ts";

export type Frame = Readonly<Record<string, unknown>>;

/** A connection to the bus that is being tested. */
export interface Link {
  send(frame: Frame): void;
  /** Everything received so far. */
  frames(): readonly Frame[];
  /** Stops reading, or reads again. */
  congest(on: boolean): void;
  close(): void;
}

/** The bus that is being tested, wherever it runs. */
export interface World {
  connect(): Promise<Link>;
  /** Lets time pass for the bus. Absent where time cannot be set. */
  advance?(ms: number): void;
  /** Ends the bus without warning, and starts another on what is left of it. */
  crash(): Promise<void>;
  /** The newest sequence of its log. */
  head(): Promise<number>;
  /** Resolves when something holds, or cannot be expected to hold any more. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  /** Resolves when nothing more can be on its way to those links. */
  quiet(links: readonly Link[]): Promise<void>;
  close(): Promise<void>;
}

/** What a test keeps of the real bus beside the model. */
export interface Reality {
  readonly world: World;
  /** By the number of the connection. */
  readonly links: Link[];
  /** Tokens to come back with, by slot. */
  readonly tokens: Map<number, unknown>;
  /** Commands sent so far. */
  asked: number;
  /** What each slot published: frames to send again, and where they were stored. */
  readonly published: Map<string, { readonly payload: Frame; readonly topic: string; readonly sequence: number }[]>;
}

export const createReality = (world: World): Reality => ({
  world,
  links: [],
  tokens: new Map(),
  asked: 0,
  published: new Map(),
});

/** Sends a command; the function returned gives the answer once it is there. */
export function send(reality: Reality, link: Link, frame: Frame): () => Frame | undefined {
  reality.asked += 1;
  const id = reality.asked;
  link.send({ id, ...frame });
  return () => link.frames().find(({ rid }) => rid === id);
}

export async function ask(reality: Reality, link: Link, frame: Frame): Promise<Frame> {
  const answer = send(reality, link, frame);
  await reality.world.until(() => answer() !== undefined);
  const found = answer();
  if (found === undefined) throw new Error(`no answer to ${JSON.stringify(frame)}`);
  return found;
}

export const pushesOf = ({ links }: Reality, { connection, id }: Stream): Frame[] =>
  (links[connection]?.frames() ?? []).filter(({ push, subscriptionId }) => push === "message" && subscriptionId === id);

const caughtUp = ({ links }: Reality, { connection, id }: Stream): number =>
  (links[connection]?.frames() ?? []).filter((frame) => frame["push"] === "caught-up" && frame["subscriptionId"] === id)
    .length;

/** What one stream got that it should not have, or did not get. */
function problemOf(model: BusModel, reality: Reality, stream: Stream): string | undefined {
  const { id, pattern, expected, slot, open } = stream;
  const client = model.clients.get(slot);
  const pushes = pushesOf(reality, stream);
  const got = pushes.map(({ sequence }) => Number(sequence));
  const behind = open && client?.congested === true;
  const wanted = behind ? expected.slice(0, got.length) : expected;
  if (!isDeepStrictEqual(got, wanted)) return `${id} (${pattern}) got ${got.join(" ")} instead of ${wanted.join(" ")}`;
  if (open && stream.historic && !behind && caughtUp(reality, stream) !== 1)
    return `${id} was not told once where history ends`;
  const altered = pushes.find((push) => !isAsStored(model, push));
  return altered === undefined ? undefined : `${id} got ${JSON.stringify(altered)}`;
}

function isAsStored({ log }: BusModel, { sequence, topic, from, cursor, payload }: Frame): boolean {
  const event = log[Number(sequence) - 1];
  const { data } = payload as { data?: { text?: unknown } };
  const isPlace = cursor === `0001:${String(sequence)}`;
  return isPlace && event?.topic === topic && event?.from === from && event?.text === data?.text;
}

const problemsOf = (model: BusModel, reality: Reality): string[] =>
  model.streams.flatMap((stream) => problemOf(model, reality, stream) ?? []);

/** Waits until all is stored and every client was pushed what it should; fails when one is not, or is pushed more. */
export async function compare(model: BusModel, reality: Reality): Promise<void> {
  const { world, links } = reality;
  const isStored = async (): Promise<boolean> => (await world.head()) === model.log.length;
  await world.until(async () => problemsOf(model, reality).length === 0 && isStored());
  const current = [...model.clients.values()].flatMap(({ connection }) => links[connection] ?? []);
  await world.quiet(current);
  const problems = problemsOf(model, reality);
  if (!(await isStored())) problems.push(`${await world.head()} events are stored instead of ${model.log.length}`);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
