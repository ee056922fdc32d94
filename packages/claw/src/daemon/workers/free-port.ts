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
 * A port that nobody listens at and nobody was given; null when there is none. It stays in `reserved` until whoever asked
 * takes it out, so that two who ask at once get two.
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
