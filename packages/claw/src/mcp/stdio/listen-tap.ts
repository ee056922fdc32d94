import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { isJSONRPCNotification, isJSONRPCRequest } from "@modelcontextprotocol/server";
import { arrayOf, objectOf, textsOf } from "claw-contract";
import type { Caller } from "../layer/caller.ts";
import type { ResourceTable } from "../layer/mcp-tables.ts";

type Id = string | number;

/** Resources that the open subscriptions of a connection name, each with the function that ends its watch. */
interface Watched {
  readonly listeners: Set<Id>;
  readonly stop: () => void;
}

const urisIn = (params: unknown): string[] =>
  textsOf(arrayOf(objectOf(objectOf(params)["notifications"])["resourceSubscriptions"]));

/** Looks at the messages of a modern client and tells the server which resources to watch. */
export interface ListenTap {
  readonly see: (message: JSONRPCMessage) => void;
  close(): void;
}

/**
 * The SDK serves `subscriptions/listen` itself, and sends an update to each subscription that named its resource. This
 * tap watches the subscribed resources and tells the SDK of their updates.
 */
export function createListenTap(
  resources: ResourceTable | undefined,
  caller: Caller,
  server: () => Server | undefined,
): ListenTap {
  const watched = new Map<string, Watched>();
  const tell = (uri: string): void => {
    // A client that has left needs no news.
    server()
      ?.sendResourceUpdated({ uri })
      .catch(() => undefined);
  };
  const listen = (id: Id, uri: string): void => {
    const stop = (): void => undefined;
    const known = watched.get(uri) ?? {
      listeners: new Set<Id>(),
      stop: resources?.watch?.(uri, caller, () => tell(uri)) ?? stop,
    };
    known.listeners.add(id);
    watched.set(uri, known);
  };
  const leave = (id: unknown): void => {
    for (const [uri, { listeners, stop }] of watched) {
      if (!listeners.delete(id as Id) || listeners.size > 0) continue;
      stop();
      watched.delete(uri);
    }
  };
  return {
    see(message) {
      if (isJSONRPCRequest(message) && message.method === "subscriptions/listen") {
        for (const uri of urisIn(message.params)) listen(message.id, uri);
      }
      if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
        leave(objectOf(message.params)["requestId"]);
      }
    },
    close() {
      for (const { stop } of watched.values()) stop();
      watched.clear();
    },
  };
}
