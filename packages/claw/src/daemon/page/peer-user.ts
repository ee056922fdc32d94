import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** 127.0.0.1, the same as an IPv6 address, and ::1, as the tables write them. */
const LOOPBACK = new Set(["0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"]);

/** The columns of a row that name the two ends and the user. */
const ROW = /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) \S+ \S+ \S+ \S+\s+(\d+)/;

/** The user who owns the client's end of a connection over the loopback, in the system's table of connections. Pure. */
export function userInTable(table: string, { from, to }: { from: number; to: number }): number | undefined {
  for (const line of table.split("\n")) {
    const [, local = "", localPort = "", remote = "", remotePort = "", user] = ROW.exec(line) ?? [];
    if (user === undefined || !LOOPBACK.has(local) || !LOOPBACK.has(remote)) continue;
    if (Number.parseInt(localPort, 16) === from && Number.parseInt(remotePort, 16) === to) return Number(user);
  }
  return undefined;
}

const readTable = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Only Linux has these tables.
    return "";
  }
};

/**
 * Whether another user of this machine is at the other end of a connection. False when the system does not tell, and
 * for connections that come from elsewhere.
 */
export function isOtherUser(
  { remotePort: from, localPort: to }: Pick<Socket, "remotePort" | "localPort">,
  read: (path: string) => string = readTable,
): boolean {
  if (from === undefined || to === undefined) return false;
  const own = new Set([0, process.geteuid?.()]);
  const found = TABLES.map((path) => userInTable(read(path), { from, to })).find((user) => user !== undefined);
  return found !== undefined && !own.has(found);
}
