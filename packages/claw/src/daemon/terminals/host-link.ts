import type { HostAddress, HostClient, HostListener } from "../../terminals/index.ts";
import { connectHost, findHost, startHost } from "../../terminals/index.ts";

export interface HostLinkOptions {
  /** `.claws`. */
  readonly folder: string;
  readonly daemonSocket: string;
  /** The command that is the host. */
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** The way to the terminal host of a workspace. */
export interface HostLink {
  /** Connects to a host that runs; undefined when none does. Rejects with TERMINAL_HOST_FAILED when it does not answer. */
  reach(): Promise<HostClient | undefined>;
  /** Connects to the host, which is started when none runs. Rejects with TERMINAL_HOST_FAILED. */
  require(): Promise<HostClient>;
  /** What the host's ptys are made by; null when there is no connection. */
  loadedFrom(): string | null;
  close(): void;
}

/** One connection at a time, made when it is needed; `opened` is told of each before anybody else gets it. `listener.closed` is told when it breaks, not when it is closed. */
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
