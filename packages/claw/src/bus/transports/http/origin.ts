import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);

const bare = (host: string): string => host.replace(/^\[|\]$/g, "").toLowerCase();

/** Whether an address can be reached from this machine alone. */
export const isLoopback = (host: string): boolean =>
  LOOPBACK.has(bare(host)) || (isIP(host) === 4 && host.startsWith("127."));

export interface OriginOptions {
  /** The address listened on. */
  readonly host: string;
  readonly port: number;
  /** Further names this server goes by. */
  readonly hosts: readonly string[];
}

/** A Host header as browsers write it: a name or an address, and maybe a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i;

/**
 * The name in a Host header, as it stands there. It is not read as an address: that would take a name before an `@`
 * for a user, and `127.1`, `2130706433` and `127.0.0.1.` for 127.0.0.1.
 */
function hostnameOf(host: string | undefined): string | undefined {
  const [, address, name] = HOST.exec(host ?? "") ?? [];
  if (address !== undefined) return isIP(address) === 6 ? address.toLowerCase() : undefined;
  return name?.toLowerCase();
}

const UNSPECIFIED = new Set(["0.0.0.0", "::"]);

/**
 * A server that listens on all addresses accepts every IP address, but not every name: a hostile resolver can lead a
 * browser here only by a name.
 */
function isOwnName(name: string, { host, hosts }: OriginOptions): boolean {
  if (isLoopback(name) || hosts.some((own) => bare(own) === name)) return true;
  const address = bare(host);
  if (UNSPECIFIED.has(address)) return isIP(name) !== 0 && !UNSPECIFIED.has(name);
  return address === name;
}

/** A page counts as ours when it came from the address it now asks, or from a configured name. */
function isOwnOrigin(origin: string, asked: string, { port, hosts }: OriginOptions): boolean {
  let url: URL;
  try {
    url = new URL(origin);
  } catch {
    return false;
  }
  // Browsers send an origin only in this form.
  if (url.origin !== origin || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  const name = bare(url.hostname);
  if (hosts.some((own) => bare(own) === name)) return true;
  const from = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return from === port && (name === asked || (isLoopback(name) && isLoopback(asked)));
}

/**
 * Why a request is not let in: another name than ours means that a browser was led here by its resolver, another
 * origin that a foreign page speaks. Undefined when neither holds.
 */
export function foreignness(
  { headers, headersDistinct }: Pick<IncomingMessage, "headers"> & Partial<Pick<IncomingMessage, "headersDistinct">>,
  options: OriginOptions,
): string | undefined {
  if ((headersDistinct?.["host"]?.length ?? 1) > 1) return "host not allowed";
  const name = hostnameOf(headers.host);
  if (name === undefined || !isOwnName(name, options)) return "host not allowed";
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, name, options)) return "origin not allowed";
  return undefined;
}
