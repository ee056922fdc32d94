import { readFileSync } from "node:fs";
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
  if (host === undefined || port > 65_535)
    throw invalid("--http", `--http must be host:port, not '${text.slice(0, 200)}'`);
  return { host: host === "" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1"), port };
}

function readTls({ tlsCert, tlsKey }: DaemonOptions): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw invalid("--tls-cert", "--tls-cert and --tls-key belong together");
  const read = (path: string): string => withFileErrors("read", path, () => readFileSync(path, "utf8"));
  return { cert: read(tlsCert), key: read(tlsKey) };
}

/** The HTTP server a daemon was asked for; undefined when it was not. */
export function httpTransport(options: DaemonOptions): HttpTransport | undefined {
  if (options.http === undefined) return undefined;
  const tls = readTls(options);
  const { insecure } = options;
  return createHttpTransport({ ...readAddress(options.http), insecure, ...(tls === undefined ? {} : { tls }) });
}
