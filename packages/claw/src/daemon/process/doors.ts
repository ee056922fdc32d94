import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { ClawError } from "claw-contract";
import type { Accept, HttpTransport, Mount, PageDoor, TokenStore, Transport } from "../../bus/index.ts";
import { createHttpTransport, createUnixTransport, TEMPORARY_SOCKET_NAME } from "../../bus/index.ts";
import { socketPathBytes } from "../../files/index.ts";
import { certificateNames } from "../page/page-names.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import { createFaceMounts } from "./face-mounts.ts";
import type { TlsPaths, TlsTexts } from "./tls-files.ts";
import { followTlsFiles, readTlsFiles } from "./tls-files.ts";

const flagError = (flag: string, message: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "listen", target: flag });

/** Reads `host:port`, `[::1]:port` or `:port`. */
export function readAddress(text: string): { host: string; port: number } {
  const [, host, digits] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535) {
    throw flagError("--http", `--http must be host:port, not '${text.slice(0, 200)}'`);
  }
  return { host: host === "" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1"), port };
}

function tlsPaths({ tlsCert: cert, tlsKey: key, http }: HttpAddress): TlsPaths | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw flagError("--tls-cert", "--tls-cert and --tls-key belong together");
  }
  if (http === undefined) throw flagError("--tls-cert", "--tls-cert is for --http, which was not asked for");
  return { cert, key };
}

const unfit = (path: string, why: string): ClawError =>
  new ClawError("DAEMON_FAILED", `${path} ${why}`, {
    operation: "listen",
    target: path,
    hint: "Name another path with --socket.",
  });

/**
 * Returns the socket's path. Throws DAEMON_FAILED when the path is too long, or when a file that is no socket is there.
 */
function checkSocketPath(path: string): string {
  const longer = Math.max(0, TEMPORARY_SOCKET_NAME - Buffer.byteLength(basename(path)));
  if (Buffer.byteLength(path) + longer > socketPathBytes()) {
    throw unfit(path, `is longer than the ${socketPathBytes() - longer} bytes that this socket's path may have`);
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false) {
    throw unfit(path, "is there already and is no socket");
  }
  return path;
}

/** The transports by which clients reach a daemon. */
export interface Doors {
  /** Opens all transports, or none and throws. Faces beside the bus let holders of the tokens in. */
  open(accept: Accept, tokens: Pick<TokenStore, "read" | "secret" | "use">): Promise<void>;
  /** The address of the HTTP server; null when there is none. */
  url(): string | null;
  /** The HTTP server once it is open; undefined when there is none. */
  http(): OpenAddress | undefined;
  /** Resolves when the last client is gone. Idempotent. */
  close(): Promise<void>;
}

/** An HTTP server and its certificate. */
export interface HttpDoor {
  readonly transport: HttpTransport;
  /** Names in the certificate. */
  readonly names: readonly string[];
  /** Serves renewed certificates. Returns a function that stops the watch. */
  follow(): () => void;
}

/** Where an HTTP server listens. */
export interface OpenAddress {
  readonly host: string;
  readonly port: number;
  /** `http` or `https`. */
  readonly scheme: string;
  /** Names in the certificate. */
  readonly names: readonly string[];
}

export function openAddress({ transport, names }: HttpDoor): OpenAddress {
  const { host, port, url } = transport.address();
  return { host, port, scheme: url.split(":")[0] ?? "http", names };
}

/** An address of an HTTP server. Paths are absolute. */
export type HttpAddress = Partial<Pick<DaemonOptions, "http" | "tlsCert" | "tlsKey" | "insecure">>;

export interface DoorOptions {
  readonly report: (problem: string) => void;
  /** The page, which every HTTP server serves. */
  readonly page: PageDoor;
  /** Protocols beside the bus. */
  readonly mounts?: readonly Mount[];
}

/** Makes the HTTP server of an address; undefined without one. Throws INVALID_FLAG_VALUE and file errors. */
export function createHttpDoor(options: HttpAddress, { report, page, mounts = [] }: DoorOptions): HttpDoor | undefined {
  const paths = tlsPaths(options);
  if (options.http === undefined) return undefined;
  const tls = paths === undefined ? undefined : readTlsFiles(paths);
  const { insecure = false } = options;
  const names = tls === undefined ? [] : certificateNames(tls.cert);
  const transport = createHttpTransport({
    ...readAddress(options.http),
    insecure,
    mounts,
    page,
    hosts: names,
    ...(tls === undefined ? {} : { tls }),
  });
  if (paths === undefined || tls === undefined) return { transport, names, follow: () => () => undefined };
  const listener = {
    changed: (tls: TlsTexts) => transport.renewTls(tls),
    failed: (problem: string) => report(`the certificate stays as it was: ${problem}`),
  };
  return { transport, names, follow: () => followTlsFiles(paths, tls, listener) };
}

/** Makes the transports that the options ask for, not opened yet. Throws at once when an option can never work. */
export function createDoors(options: DaemonOptions, socket: string, using: DoorOptions): Doors {
  const faces = createFaceMounts(options.faces ?? []);
  const http = createHttpDoor(options, { ...using, mounts: faces.mounts });
  const unix: Transport = createUnixTransport(checkSocketPath(socket));
  const transports = http === undefined ? [unix] : [unix, http.transport];
  let unfollow = (): void => undefined;
  const close = async (): Promise<void> => {
    unfollow();
    await faces.close();
    for (const transport of transports) await transport.close();
  };
  return {
    close,
    http: () => (http === undefined ? undefined : openAddress(http)),
    url: () => http?.transport.address().url ?? null,
    open: async (accept, tokens) => {
      faces.admit(tokens);
      try {
        for (const transport of transports) await transport.listen(accept);
        unfollow = http?.follow() ?? unfollow;
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}
