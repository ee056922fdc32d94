import { afterAll, beforeAll, describe } from "vitest";
import { findNatsServers } from "../../../../../scripts/nats/give-nats.mjs";
import { logConformance, sharedLogConformance } from "../../bus/log/log.conformance.ts";
import type { NatsScene } from "../testing/nats-scene.ts";
import { startNatsScene } from "../testing/nats-scene.ts";

describe.each(findNatsServers())("a log on JetStream, nats-server $version", ({ path }) => {
  const ends: (() => Promise<void> | void)[] = [];
  let scene: NatsScene;
  let clusters = 0;
  beforeAll(async () => {
    scene = await startNatsScene((end) => void ends.push(end), path);
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  describe("as any log", () => {
    logConformance(() => ({ open: () => scene.openLog({ cluster: `c${(clusters += 1)}` }) }));
  });

  describe("as a log that several daemons write", () => {
    sharedLogConformance(() => {
      const cluster = `c${(clusters += 1)}`;
      let machines = 0;
      return { open: (number) => scene.openLog({ cluster, machine: `m${(machines += 1)}`, number }) };
    });
  });
});
