import type { RequestListener } from "node:http";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { expect, onTestFinished } from "vitest";
import { createNumbers, startBus } from "../../../claw/src/bus/testing/bus-harness.ts";
import { temporaryFolder } from "../../../claw/src/files/testing/temporary-folder.ts";
import type { Bus } from "../../../claw/src/bus/bus.ts";
import { createMemoryDurableStore } from "../../../claw/src/bus/delivery/durable/memory-durable-store.ts";
import type { EventLog } from "../../../claw/src/bus/log/index.ts";
import { createMemoryLog } from "../../../claw/src/bus/log/index.ts";
import { createTokenStore } from "../../../claw/src/bus/access/tokens/index.ts";
import { createHttpTransport } from "../../../claw/src/bus/transports/http.ts";
import { createUnixTransport } from "../../../claw/src/bus/transports/unix.ts";
import type { OpenChannel } from "../connection/channel.ts";
import { memoryChannel } from "../connection/channels/memory.ts";
import { unixChannel } from "../node.ts";

/** Milliseconds after which the bus asks clients to try again. */
export const AGAIN_MS = 20;

/** Places of durable readers, which cannot be stored while NATS is away. */
function createPlaces() {
  const memory = createMemoryDurableStore();
  const places = {
    ...memory,
    isAway: false,
    save: (record: Parameters<typeof memory.save>[0]): Promise<void> => {
      if (!places.isAway) return memory.save(record);
      const details = { operation: "save_durable", target: record.name, retryAfterMs: AGAIN_MS };
      return Promise.reject(new ClawError("NATS_UNREACHABLE", "NATS is away", details));
    },
  };
  return places;
}

/** What outlives one run of a bus. */
const createKept = (epoch = "0001") => ({
  log: { ...createMemoryLog(), epoch },
  tokens: createTokenStore(Date.now),
  durables: createPlaces(),
  ids: createNumbers(),
});

type Kept = ReturnType<typeof createKept>;

/** The bus reports places that it cannot store, and nothing else. */
async function startOn(kept: Kept, now: () => number = Date.now): Promise<Bus> {
  const reports: string[] = [];
  onTestFinished(() => expect(reports).toEqual([]));
  const report = (text: string): void => {
    if (!kept.durables.isAway) reports.push(text);
  };
  return (await startBus({ ...kept, now, report })).bus;
}

export interface MemoryBus {
  readonly channel: OpenChannel;
  readonly log: EventLog;
  /** Another bus on the same log takes the place of this one; whoever is connected has to come again. */
  restart(): Promise<void>;
  /** A bus with another log takes the place of this one; who its peers were it knows only if it is to keep that. */
  replace(keep?: "peers"): Promise<void>;
  /** Whether places of durable readers cannot be stored from now on. */
  loseNats(isAway: boolean): void;
  /** Lets time pass for the bus, which otherwise stands still. */
  pass(ms: number): void;
}

/** The real bus, reached within the process. */
export async function startMemoryBus(): Promise<MemoryBus> {
  let kept = createKept();
  let nowMs = Date.now();
  const now = (): number => nowMs;
  let bus = await startOn(kept, now);
  return {
    log: kept.log,
    channel: () => memoryChannel(bus.accept)(),
    restart: async () => {
      bus = await startOn(kept, now);
    },
    replace: async (keep) => {
      const { tokens, ids, durables } = kept;
      kept = { ...createKept("0002"), durables, ...(keep === undefined ? {} : { tokens, ids }) };
      bus = await startOn(kept, now);
    },
    loseNats: (isAway) => void (kept.durables.isAway = isAway),
    pass: (ms) => {
      nowMs += ms;
      bus.checkPeers();
    },
  };
}

export interface WebOptions {
  /** Of whoever has the token; `observer` unless given. */
  readonly role?: "observer" | "orchestrator" | "worker";
  /** Serves pages beside the bus. */
  readonly fallback?: RequestListener;
}

export interface WebDoor {
  readonly url: string;
  readonly token: string;
  /** Ends every connection and lets nobody in. */
  interrupt(): Promise<void>;
  /** Opens again at the same address. */
  resume(): Promise<void>;
}

async function openWebDoor(bus: Bus, token: string, fallback: WebOptions["fallback"]): Promise<WebDoor> {
  const listen = async (port: number) => {
    const web = createHttpTransport({ host: "127.0.0.1", port, ...(fallback === undefined ? {} : { fallback }) });
    await web.listen(bus.accept);
    return web;
  };
  let web = await listen(0);
  const { port } = web.address();
  onTestFinished(() => web.close());
  return {
    url: `ws://127.0.0.1:${port}`,
    token,
    interrupt: () => web.close(),
    resume: async () => {
      web = await listen(port);
    },
  };
}

export interface UnixBus {
  readonly channel: OpenChannel;
  readonly path: string;
  readonly log: EventLog;
  /** Opens a door for WebSockets to the bus that was started first. */
  serveWeb(options?: WebOptions): Promise<WebDoor>;
  /** Ends every connection and stops listening, as a crash would. */
  stop(): Promise<void>;
  /** Starts on the same log. */
  start(): Promise<void>;
}

/** The real bus on a real socket. */
export async function startUnixBus(): Promise<UnixBus> {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "claws.sock");
  const kept = createKept();
  let transport = createUnixTransport(path);
  const listen = async ({ accept }: Bus): Promise<void> => {
    transport = createUnixTransport(path);
    await transport.listen(accept);
  };
  const start = async (): Promise<void> => listen(await startOn(kept));
  const first = await startOn(kept);
  await listen(first);
  onTestFinished(() => transport.close());
  const serveWeb: UnixBus["serveWeb"] = ({ role = "observer", fallback } = {}) =>
    openWebDoor(first, kept.tokens.mint({ role }), fallback);
  return { path, log: kept.log, serveWeb, channel: unixChannel(path), stop: () => transport.close(), start };
}
