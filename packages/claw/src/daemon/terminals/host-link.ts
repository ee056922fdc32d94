import type { HostAddress, HostClient, HostListener } from "../../terminals/index.ts";
import { connectHost, findHost, startHost } from "../../terminals/index.ts";

export interface HostLinkOptions {
  /** `.claws`. */
  readonly folder: string;
  readonly daemonSocket: string;
  /** Command line of the terminal host. */
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** The connection to the terminal host of a workspace. */
export interface HostLink {
  /**
   * Connects to a running host; undefined when none runs. Rejects with TERMINAL_HOST_FAILED when the host does not
   * answer.
   */
  reach(): Promise<HostClient | undefined>;
  /** Connects to the host, which is started when none runs. Rejects with TERMINAL_HOST_FAILED. */
  require(): Promise<HostClient>;
  /** Where the host loaded its pty library from; null when there is no connection. */
  loadedFrom(): string | null;
  close(): void;
}

/**
 * Keeps at most one connection, made when a caller needs it. `opened` gets each connection before any caller does.
 * `listener.closed` is called when a connection breaks, not when `close` is called.
 */
export function createHostLink(
  options: HostLinkOptions,
  listener: HostListener & { opened(client: HostClient): Promise<void> },
): HostLink {
  let connection: Promise<HostClient> | undefined;
  let loadedFrom: string | null = null;
  let isClosed = false;
  const connect = async (host: HostAddress): Promise<HostClient> =>
    connectHost(host, {
      push: (push) => listener.push(push),
      closed: () => {
        connection = undefined;
        loadedFrom = null;
        if (!isClosed) listener.closed();
      },
    });
  const open = (find: () => Promise<HostAddress & { loaded_from: string }>): Promise<HostClient> => {
    connection ??= find()
      .then(async (record) => {
        const client = await connect(record);
        loadedFrom = record.loaded_from;
        await listener.opened(client);
        return client;
      })
      .finally(() => {
        if (loadedFrom === null) connection = undefined;
      });
    return connection;
  };
  return {
    loadedFrom: () => loadedFrom,
    reach: () => {
      const running = findHost(options.folder);
      if (connection === undefined && running === undefined) return Promise.resolve(undefined);
      return open(() => (running === undefined ? startHost(options) : Promise.resolve(running)));
    },
    require: () => open(() => startHost(options)),
    close: () => {
      isClosed = true;
      connection?.then((client) => client.close()).catch(() => undefined);
    },
  };
}
