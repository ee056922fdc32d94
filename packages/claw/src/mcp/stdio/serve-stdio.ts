import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "../layer/caller.ts";
import { createServer } from "../layer/create-server.ts";
import type { McpTables } from "../layer/mcp-tables.ts";
import type { LineStreams } from "./line-transport.ts";
import { LineTransport } from "./line-transport.ts";
import { createListenTap } from "./listen-tap.ts";

export interface StdioOptions {
  readonly tables: McpTables;
  readonly caller: Caller;
  readonly streams: LineStreams;
  readonly onerror?: (error: Error) => void;
  /** Puts something between the wire and the server, such as the notifications of tasks. */
  readonly wrap?: (wire: Transport) => Transport;
}

/** Shows every message of a transport to a function before it is served. */
function tapped(wire: Transport, see: (message: JSONRPCMessage) => void): Transport {
  return new Proxy(wire, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, key, value: unknown) =>
      key === "onmessage" && typeof value === "function"
        ? Reflect.set(target, key, (message: JSONRPCMessage) => {
            value(message);
            see(message);
          })
        : Reflect.set(target, key, value),
  });
}

/**
 * Serves one connection over two streams, in the era that the client begins with. Resolves with the number of
 * messages that came, when the connection has ended; calls in flight are aborted then.
 */
export async function serveStreams({ tables, caller, streams, onerror, wrap }: StdioOptions): Promise<number> {
  const lines = new LineTransport(streams);
  const wire = wrap?.(lines) ?? lines;
  let modern: Server | undefined;
  const tap = createListenTap(tables.resources, caller, () => modern);
  const handle = serveStdio(
    ({ era }) => {
      const server = createServer(tables, { caller, era });
      if (era === "modern") modern = server;
      return server;
    },
    { transport: tapped(wire, tap.see), ...(onerror === undefined ? {} : { onerror }) },
  );
  await lines.ended;
  tap.close();
  await handle.close();
  return lines.received;
}
