import { X509Certificate } from "node:crypto";
import { networkInterfaces } from "node:os";

const UNSPECIFIED = new Set(["0.0.0.0", "::"]);

/** Names in a certificate that stand for a single machine. Browsers that accept the certificate reach the machine by name. */
export function certificateNames(pem: string): string[] {
  const names = new X509Certificate(pem).subjectAltName ?? "";
  return [...names.matchAll(/\bDNS:([A-Za-z0-9.-]+)(?=,|$)/g)].map(([, name = ""]) => name);
}

/** Addresses at which other machines reach this machine, IPv4 before IPv6. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const others = all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  return others.toSorted((one, other) => one.family.localeCompare(other.family)).map(({ address }) => address);
}

/** The hosts by which a browser reaches an address. Not empty. */
export function hostsOf(host: string, names: readonly string[]): string[] {
  if (!UNSPECIFIED.has(host)) return [...names, host];
  const own = ownAddresses().filter((address) => host === "::" || !address.includes(":"));
  return own.length + names.length === 0 ? ["127.0.0.1"] : [...names, ...own];
}

/** A host as it stands in an address. */
export const hostInUrl = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
