import type { MemoryClient } from "../transports/memory.ts";
import type { BusHarness } from "./bus-harness.ts";
import { settle } from "./watched-work.ts";

export type Frame = Readonly<Record<string, unknown>>;

const framesOf = (client: MemoryClient): Frame[] => client.frames.map((frame) => JSON.parse(frame) as Frame);

/** Apart from the ids that tests give by hand. */
const counter = { asked: 1000 };

/** Sends a request and waits until the bus is idle. Returns the answer; an empty frame when none has come. */
export async function request(client: MemoryClient, body: Frame): Promise<Frame> {
  counter.asked += 1;
  const { id = counter.asked } = body;
  client.send(JSON.stringify({ id, ...body }));
  await settle();
  return framesOf(client).find((frame) => frame["rid"] === id) ?? {};
}

export interface Joined {
  readonly client: MemoryClient;
  readonly id: string;
  readonly reply: Frame;
}

/** Connects a peer; a terminal that it names is opened for it. */
export async function join(harness: BusHarness, role: string, more: Frame = {}): Promise<Joined> {
  if (typeof more["terminalId"] === "string") harness.terminals.add(more["terminalId"]);
  const client = harness.transport.connect();
  const reply = await request(client, { cmd: "hello", protocol: "claws/2", role, peerName: role, ...more });
  return { client, id: String(reply["peerId"]), reply };
}

/** A third connection that is told of certain topics. */
export async function watch(harness: BusHarness, ...topics: string[]): Promise<MemoryClient> {
  const { client } = await join(harness, "observer");
  for (const topic of topics) await request(client, { cmd: "subscribe", topic });
  return client;
}

export const pushes = (client: MemoryClient, kind = "message"): Frame[] =>
  framesOf(client).filter(({ push }) => push === kind);

/** Topics and payloads of what was pushed. */
export const told = (client: MemoryClient): [unknown, unknown][] =>
  pushes(client).map(({ topic, payload }) => [topic, payload]);

/** A client that asks and is answered, and reads its frames. */
export interface TestClient {
  readonly raw: MemoryClient;
  /** Sends a request and gives its answer. */
  readonly ask: (body: Frame) => Promise<Frame>;
  readonly hello: (body: Frame) => Promise<Frame>;
  readonly frames: () => Frame[];
  readonly pushes: (kind?: string) => Frame[];
}

export const createTestClient = (raw: MemoryClient): TestClient => ({
  raw,
  ask: (body) => request(raw, body),
  hello: (body) => request(raw, { cmd: "hello", protocol: "claws/2", ...body }),
  frames: () => framesOf(raw),
  pushes: (kind) => pushes(raw, kind),
});
