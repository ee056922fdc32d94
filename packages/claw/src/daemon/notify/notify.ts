import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { NoticeChannel, ReplyFields } from "claw-contract";
import { NOTICE_CHANNELS, NOTICE_KINDS } from "claw-contract";
import type { BusExtension, BusHost, EventLog } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import type { Lifetime } from "../process/keep-running.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { ChannelOptions, Deliver, NotifySettings } from "./channels.ts";
import { channelsOf } from "./channels.ts";
import { NotifyQueue } from "./notify-queue.ts";

export interface NotifyOptions extends ChannelOptions {
  readonly log: Pick<EventLog, "epoch" | "head" | "oldest" | "read">;
  readonly fs: FileSystem;
  /** Folder with the places of the channels. */
  readonly folder: string;
  /** Reads the current settings; undefined when they have no `notify`. */
  readonly settings: () => NotifySettings | undefined;
  readonly registry: Pick<WorkerRegistry, "get">;
  readonly lifetime: Pick<Lifetime, "signal" | "hold">;
  readonly touch: () => void;
}

/** How long settings that were read count. */
const SETTINGS_MS = 2000;

type Channels = ReadonlyMap<NoticeChannel, Deliver>;

interface Current {
  readonly settings: NotifySettings;
  readonly channels: Channels;
}

/** Reads the settings now and then, not for each event. */
function createCurrent(host: BusHost, options: NotifyOptions): () => Current {
  let known: (Current & { readonly at: number }) | undefined;
  return () => {
    if (known !== undefined && Math.abs(host.now() - known.at) < SETTINGS_MS) return known;
    const settings = options.settings() ?? {};
    known = { settings, channels: channelsOf(settings, options), at: host.now() };
    return known;
  };
}

/** A delivery by the settings of then. A channel that is no longer named has nothing to deliver. */
const delivering =
  (current: () => Current, channel: NoticeChannel): Deliver =>
  async (...attempt) =>
    (await current().channels.get(channel)?.(...attempt)) ?? { delivered: true, detail: "no longer in the settings" };

async function testChannels(
  channels: Channels,
  options: NotifyOptions,
  ts: string,
): Promise<ReplyFields<"notify.test">> {
  const id = `test-${randomUUID()}`;
  const one = async ([channel, deliver]: readonly [NoticeChannel, Deliver]) => {
    const started = performance.now();
    const content = { worker: "claw", text: "a test of the notices" };
    const outcome = await deliver({ id, kind: "test", peerId: null, ts, content }, 1, options.lifetime.signal);
    return { channel, ...outcome, durationMs: Math.round(performance.now() - started) };
  };
  return { deliveryId: id, deliveries: await Promise.all([...channels].map(one)) };
}

/** Tells a person who is away of workers that wait, failed or are done, through a program or a webhook. */
export function createNotify(host: BusHost, options: NotifyOptions): BusExtension {
  const { log, fs, folder, registry, lifetime, touch } = options;
  const current = createCurrent(host, options);
  const queues = new Map<NoticeChannel, NotifyQueue>();
  const queueOf = (channel: NoticeChannel): NotifyQueue => {
    const known = queues.get(channel);
    if (known !== undefined) return known;
    const queue = new NotifyQueue({
      log,
      fs,
      path: join(folder, `${channel}.json`),
      nameOf: (peerId) => registry.get(peerId)?.name ?? peerId,
      isIgnored: host.fence.isIgnored,
      now: () => host.now(),
      report: (problem) => host.report(`${channel}: ${problem}`),
      touch,
      signal: lifetime.signal,
    });
    queues.set(channel, queue);
    lifetime.hold(whenAborted(lifetime.signal).then(() => queue.whenIdle()));
    return queue;
  };
  const wake = (channel: NoticeChannel): number => {
    const { settings, channels } = current();
    if (!channels.has(channel)) return Infinity;
    const on = new Set(settings.on ?? NOTICE_KINDS);
    return queueOf(channel).wake({ deliver: delivering(current, channel), on, content: settings.content === true });
  };
  const test = handlePeers("notify.test", (_asked, done) => {
    void (async () => {
      try {
        done(ok(await testChannels(current().channels, options, host.timestamp())));
      } catch (failure) {
        done(error(`no notice was delivered: ${String(failure)}`));
      }
    })();
  });
  return {
    name: "notify",
    requests: [test],
    // A channel without a place begins here, before the first event of a client.
    start: () => [...current().channels.keys()].forEach(queueOf),
    checkDue: () => Math.min(...NOTICE_CHANNELS.map(wake)),
  };
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
