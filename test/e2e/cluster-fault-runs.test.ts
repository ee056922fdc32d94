import { expect, onTestFinished, test } from "vitest";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import { findNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { createLoopback } from "../reliability/cluster/networks/loopback.ts";
import { createNamespaces, hasNamespaces } from "../reliability/cluster/networks/namespaces.ts";
import { runFaults } from "../reliability/cluster/run-faults.ts";
import { chooseSeed, createRandom } from "../reliability/random.ts";

const SEED = chooseSeed();
const IS_NAMESPACED = hasNamespaces();
const PLACE = IS_NAMESPACED ? "in network namespaces" : "on loopback, because network namespaces are not allowed here";

/** A soak takes hours, and its clients write less, so that the test can hold all they say. */
const IS_SOAK = process.env["CLAW_SOAK"] !== undefined;
const PLAN = IS_SOAK
  ? { longestMs: 30_000, pauseMs: 250, runMs: 8 * 3_600_000 }
  : { longestMs: 1000, pauseMs: 50, runMs: 240_000 };

/** The newest server. In a soak the others too, with fewer faults. What a daemon reports of their durability differs; what is wanted does not. */
const [newest = { path: findNatsServer(), version: "unknown" }, ...older] = findNatsServers().toReversed();
const RUNS = IS_SOAK
  ? [{ ...newest, faults: 500 }, ...older.map((server) => ({ ...server, faults: 120 }))]
  : [{ ...newest, faults: 20 }];

test.each(RUNS)(
  `after $faults faults of links, daemons and servers every client has the same sequence, and nothing is lost or repeated (machines ${PLACE}, nats-server $version, CLAW_SEED=${SEED})`,
  async ({ path: binary, faults: count }) => {
    const folder = temporaryFolder(onTestFinished);
    const network = IS_NAMESPACED ? await createNamespaces() : createLoopback();
    const plan = { ...PLAN, faults: count, folder, network, binary, random: createRandom(SEED) };
    const { readers, receipts, said, durable, faults } = await runFaults(plan, onTestFinished);
    const [first = []] = readers;
    const shown = { readers, count: new Set(first).size, stored: [...first].toSorted(), durable };
    const wanted = { readers: readers.map(() => first), count: said, stored: receipts.toSorted() };
    expect(shown, `CLAW_SEED=${SEED}: ${faults.join(", ")}`).toEqual({ ...wanted, durable: { seen: said, twice: [] } });
  },
  PLAN.runMs,
);
