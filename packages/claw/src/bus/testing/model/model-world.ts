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

/** What a link received, by what it is about. */
interface Received {
  seen: number;
  readonly answers: Map<unknown, Frame>;
  readonly messages: Map<unknown, Frame[]>;
  readonly caughtUp: Map<unknown, number>;
}

const received = new WeakMap<Link, Received>();

/** Looks at each frame once. */
function receivedBy(link: Link): Received {
  const known = received.get(link) ?? { seen: 0, answers: new Map(), messages: new Map(), caughtUp: new Map() };
  received.set(link, known);
  const frames = link.frames();
  for (; known.seen < frames.length; known.seen += 1) {
    const frame = frames[known.seen] ?? {};
    const id = frame["subscriptionId"];
    if (frame["rid"] !== undefined) known.answers.set(frame["rid"], frame);
    if (frame["push"] === "message") known.messages.set(id, [...(known.messages.get(id) ?? []), frame]);
    if (frame["push"] === "caught-up") known.caughtUp.set(id, (known.caughtUp.get(id) ?? 0) + 1);
  }
  return known;
}

/** Sends a command; the function returned gives the answer once it is there. */
export function send(reality: Reality, link: Link, frame: Frame): () => Frame | undefined {
  reality.asked += 1;
  const id = reality.asked;
  link.send({ id, ...frame });
  return () => receivedBy(link).answers.get(id);
}

export async function ask(reality: Reality, link: Link, frame: Frame): Promise<Frame> {
  const answer = send(reality, link, frame);
  await reality.world.until(() => answer() !== undefined);
  const found = answer();
  if (found === undefined) throw new Error(`no answer to ${JSON.stringify(frame)}`);
  return found;
}

export function pushesOf({ links }: Reality, { connection, id }: Stream): readonly Frame[] {
  const link = links[connection];
  return link === undefined ? [] : (receivedBy(link).messages.get(id) ?? []);
}

function caughtUp({ links }: Reality, { connection, id }: Stream): number {
  const link = links[connection];
  return link === undefined ? 0 : (receivedBy(link).caughtUp.get(id) ?? 0);
}

/** What one stream got that it should not have, or did not get. */
function problemOf(model: BusModel, reality: Reality, stream: Stream): string | undefined {
  const { id, pattern, expected, slot, open } = stream;
  const client = model.clients.get(slot);
  const pushes = pushesOf(reality, stream);
  const got = pushes.map(({ sequence }) => Number(sequence));
  const behind = open && client?.congested === true;
  const wanted = behind ? expected.slice(0, got.length) : expected;
  if (!isDeepStrictEqual(got, wanted)) return `${id} (${pattern}) got ${got.join(" ")} instead of ${wanted.join(" ")}`;
  const told = caughtUp(reality, stream);
  if (open && stream.historic && !behind && told !== 1) return `${id} was told ${told} times where history ends`;
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

/** Fails unless a frame has these fields. */
export function agree(frame: Frame | undefined, fields: Frame): void {
  const wrong = Object.keys(fields).filter((key) => !isDeepStrictEqual(frame?.[key], fields[key]));
  if (wrong.length > 0) throw new Error(`${JSON.stringify(frame)} has not ${JSON.stringify(fields)}`);
}
