import type { Server } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Most resources that one connection may watch. */
const MAX_WATCHES = 256;

type Watch = (uri: string, changed: () => void) => (() => void) | undefined;

export interface ResourceWatches {
  /** Begins to watch a resource. Throws a protocol error beyond the limit. Watching twice is watching once. */
  add(uri: string): Record<string, never>;
  remove(uri: string): Record<string, never>;
  close(): void;
}

/** Tells the client of a server when resources change. The watches end with the connection. */
export function createWatches(watch: Watch, server: Pick<Server, "sendResourceUpdated" | "onclose">): ResourceWatches {
  const open = new Map<string, () => void>();
  const close = (): void => {
    for (const stop of open.values()) stop();
    open.clear();
  };
  const tell = (uri: string): void => {
    // A client that has left needs no news.
    server.sendResourceUpdated({ uri }).catch(() => undefined);
  };
  const ended = server.onclose;
  const onclose = (): void => {
    close();
    ended?.();
  };
  Object.assign(server, { onclose });
  return {
    add(uri) {
      if (open.has(uri)) return {};
      if (open.size >= MAX_WATCHES) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${MAX_WATCHES} resources can be watched`);
      }
      open.set(uri, watch(uri, () => tell(uri)) ?? (() => undefined));
      return {};
    },
    remove(uri) {
      open.get(uri)?.();
      open.delete(uri);
      return {};
    },
    close,
  };
}
