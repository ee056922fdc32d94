import { randomBytes } from "node:crypto";
import { LIMITS, parseObject } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FILE, readSmallFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";

/** Where the page is served, with what the address needs. */
export interface PageAddress {
  /** `host:port`. */
  readonly http: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
}

/** What has to stay the same over restarts of the daemon, so that open pages and cookies keep working. */
export interface PageState {
  /** The first part of every path of the page. */
  key(): string;
  addresses(): readonly PageAddress[];
  /** Throws file errors. */
  keepAddresses(addresses: readonly PageAddress[]): void;
}

const KEY_BYTES = 9;
const KEY = /^[\w-]{12}$/;

const isAddress = (value: unknown): value is PageAddress =>
  value instanceof Object && "http" in value && typeof value.http === "string";

interface Stored {
  readonly key: string;
  readonly addresses: readonly PageAddress[];
}

function parse(text: string): Stored | undefined {
  const { key, addresses } = parseObject(text) ?? {};
  if (typeof key !== "string" || !KEY.test(key) || !Array.isArray(addresses)) return undefined;
  return { key, addresses: addresses.filter(isAddress).slice(0, LIMITS.pageAddresses) };
}

/** Keeps the state in a private file. A file that makes no sense is replaced: then browsers need a new link. */
export function openPageState(fs: FileSystem, path: string, report: (problem: string) => void): PageState {
  let stored: Stored | undefined;
  const read = (): Stored => {
    const file = readSmallFile(path, LIMITS.settingsBytes);
    const known = file.kind === "text" ? parse(file.text) : undefined;
    if (known === undefined && file.kind !== "absent") report(`${path} makes no sense: browsers need a new link`);
    return known ?? { key: randomBytes(KEY_BYTES).toString("base64url"), addresses: [] };
  };
  const current = (): Stored => (stored ??= read());
  return {
    key: () => current().key,
    addresses: () => current().addresses,
    keepAddresses: (addresses) => {
      const next = { key: current().key, addresses };
      const text = `${JSON.stringify(next)}\n`;
      withFileErrors("save", path, () => writeFileAtomically(fs, path, text, { mode: PRIVATE_FILE }));
      stored = next;
    },
  };
}
