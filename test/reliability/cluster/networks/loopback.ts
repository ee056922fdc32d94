import type { CutProxy } from "../../../../packages/claw/src/cluster/testing/cut-proxy.ts";
import { startCutProxy } from "../../../../packages/claw/src/cluster/testing/cut-proxy.ts";
import type { Network } from "./network.ts";

/** All machines on loopback. A proxy for each machine and server stands for the link between them. */
export function createLoopback(): Network {
  const all: CutProxy[] = [];
  return {
    within: [],
    address: "127.0.0.1",
    openLink: async (ports) => {
      const proxies = await Promise.all(ports.map((port) => startCutProxy(port)));
      all.push(...proxies);
      const each = (change: (proxy: CutProxy) => void): Promise<void> => {
        proxies.forEach(change);
        return Promise.resolve();
      };
      return {
        hosts: proxies.map(({ url }) => url.replace("nats://", "")).join(","),
        within: [],
        cut: () => each((proxy) => proxy.cut()),
        silence: () => each((proxy) => proxy.swallowAnswers()),
      };
    },
    close: async () => {
      await Promise.all(all.map((proxy) => proxy.close()));
    },
  };
}
