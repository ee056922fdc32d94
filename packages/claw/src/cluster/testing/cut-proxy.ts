import type { Socket } from "node:net";
import { connect, createServer } from "node:net";

/** A way to a server that a test can cut. */
export interface CutProxy {
  readonly url: string;
  /** From now on, what the server answers is thrown away; what the client sends still arrives. */
  swallowAnswers(): void;
  /** Ends all connections. Later connections get through again. */
  cut(): void;
  close(): Promise<void>;
}

/** Passes bytes on between clients and a server on loopback. */
export function startCutProxy(port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        if (from === client || !isSwallowing) to.write(data);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const cut = (): void => {
    isSwallowing = false;
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const taken = typeof address === "object" && address !== null ? address.port : 0;
      resolve({
        url: `nats://127.0.0.1:${taken}`,
        swallowAnswers: () => {
          isSwallowing = true;
        },
        cut,
        close: () => {
          cut();
          return new Promise((ended) => server.close(() => ended()));
        },
      });
    });
  });
}
