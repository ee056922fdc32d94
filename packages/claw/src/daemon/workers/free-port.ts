import { createServer } from "node:net";
import { LIMITS } from "@claw/contract";

const LOOPBACK = "127.0.0.1";

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}

/**
 * A free port that is leased to no worker; null when there is none. The port stays in `reserved` until the caller
 * removes it, so two concurrent callers get two ports.
 */
export async function leasePort(reserved: Set<number>, isLeased: (port: number) => boolean): Promise<number | null> {
  for (let offset = 0; offset < LIMITS.workerPorts; offset += 1) {
    const port = LIMITS.workerPortFirst + offset;
    if (reserved.has(port) || isLeased(port)) continue;
    reserved.add(port);
    if (await canListen(port)) return port;
    reserved.delete(port);
  }
  return null;
}
