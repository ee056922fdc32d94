import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import type { SeenStream } from "./stream-epoch.ts";

/** A stream that ends before what was seen for longer than this was restored to an older point. */
const BEHIND_MS = 10_000;
const AGAIN_MS = 250;

interface Asking {
  readonly manager: { readonly streams: Pick<JetStreamManager["streams"], "info"> };
  readonly stream: string;
  readonly seen: Pick<SeenStream, "created" | "head">;
  readonly behindMs?: number;
}

/** A server that has just become the leader of a replicated stream may have to take in the newest events yet. */
const isBehind = ({ config, created, state }: StreamInfo, seen: Asking["seen"]): boolean =>
  config.num_replicas > 1 && created === seen.created && state.last_seq < seen.head;

/**
 * Asks the leader how the stream stands. Waits for a leader that is behind: it looks like a stream that was restored to an
 * older point. Rejects as NATS does.
 */
export async function findStream(asking: Asking): Promise<StreamInfo> {
  const { manager, stream, seen, behindMs = BEHIND_MS } = asking;
  for (const end = performance.now() + behindMs; ;) {
    const info = await manager.streams.info(stream);
    if (!isBehind(info, seen) || performance.now() > end) return info;
    await delay(AGAIN_MS, undefined, { ref: false });
  }
}
