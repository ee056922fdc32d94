import { lstatSync, readFileSync } from "node:fs";
import { ClawError } from "@claw/contract";
import type { HttpTransport } from "../bus/index.ts";
import { createHttpTransport } from "../bus/index.ts";
import { withFileErrors } from "../files/index.ts";
import type { DaemonOptions } from "./daemon-options.ts";

const invalid = (flag: string, message: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "listen", target: flag });

/** Reads `host:port`, `[::1]:port` or `:port`. */
export function readAddress(text: string): { host: string; port: number } {
  const [, host, digits] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535) {
    throw invalid("--http", `--http must be host:port, not '${text.slice(0, 200)}'`);
  }
  return { host: host === "" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1"), port };
}

function readTls({ tlsCert, tlsKey }: DaemonOptions): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw invalid("--tls-cert", "--tls-cert and --tls-key belong together");
  }
  const read = (path: string): string => withFileErrors("read", path, () => readFileSync(path, "utf8"));
  return { cert: read(tlsCert), key: read(tlsKey) };
}

/** What the system can hold of a socket's path; a longer one would be cut off in silence. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/** The socket's path. Throws DAEMON_FAILED when nobody could or should listen there. */
export function checkSocketPath(path: string): string {
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
    throw unfit(path, `is longer than the ${MAX_SOCKET_PATH_BYTES} bytes that a socket's path may have`);
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false) {
    throw unfit(path, "is there already and is no socket");
  }
  return path;
}

const unfit = (path: string, why: string): ClawError =>
  new ClawError("DAEMON_FAILED", `${path} ${why}`, {
    operation: "listen",
    target: path,
    hint: "Name another path with --socket.",
  });

/** The HTTP server a daemon was asked for; undefined when it was not. */
export function httpTransport(options: DaemonOptions): HttpTransport | undefined {
  const tls = readTls(options);
  if (options.http === undefined) {
    if (tls !== undefined) throw invalid("--tls-cert", "--tls-cert is for --http, which was not asked for");
    return undefined;
  }
  const { insecure } = options;
  return createHttpTransport({ ...readAddress(options.http), insecure, ...(tls === undefined ? {} : { tls }) });
}
