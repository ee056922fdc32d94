import { dirname, join } from "node:path";
import { nodeFileSystem, openSecret, readSecret, stateFolder, unlessRefused } from "../../files/index.ts";

/**
 * Where the token of the terminal host of a `.claws` is kept: outside of the workspace, beside the daemon's secrets. It
 * stays the same for one host after the other.
 */
export const hostTokenPath = (folder: string): string => join(stateFolder(dirname(folder)), "terminals.token");

const hexOf = (secret: Uint8Array): string => Buffer.from(secret).toString("hex");

/** The token that a terminal host asks its clients for, made when there is none. Throws file errors. */
export const openHostToken = (folder: string, report: (problem: string) => void): string =>
  hexOf(openSecret(nodeFileSystem, hostTokenPath(folder), report));

/** What a client of the terminal host shows; null when there is none that it can read. */
export function readHostToken(folder: string): string | null {
  return unlessRefused(() => {
    const secret = readSecret(hostTokenPath(folder));
    return secret === undefined ? null : hexOf(secret);
  }, null);
}
