import { expect, onTestFinished, test } from "vitest";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import { findNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { createLoopback } from "../reliability/cluster/networks/loopback.ts";
import { createNamespaces, hasNamespaces } from "../reliability/cluster/networks/namespaces.ts";
import { runFaults } from "../reliability/cluster/run-faults.ts";
import { chooseSeed, createRandom } from "../reliability/random.ts";

const SEED = chooseSeed();
/**
 * The newest: a new leader of servers before 2.11 takes events although it may not know all that were stored. In a long run,
 * the files of three such servers then hold other events under the same sequences.
 */
const SERVER = findNatsServers().at(-1);
const IS_NAMESPACED = hasNamespaces();
const PLACE = IS_NAMESPACED ? "in network namespaces" : "on loopback, because network namespaces are not allowed here";

/** A soak takes hours, and its clients write less, so that the test can hold all they say. */
const PLAN =
  process.env["CLAW_SOAK"] === undefined
    ? { faults: 20, longestMs: 1000, pauseMs: 50, runMs: 240_000 }
    : { faults: 500, longestMs: 30_000, pauseMs: 250, runMs: 8 * 3_600_000 };

test(
  `after ${PLAN.faults} faults of links, daemons and servers every client has the same sequence, and nothing is lost or repeated (machines ${PLACE}, nats-server ${SERVER?.version}, CLAW_SEED=${SEED})`,
  async () => {
    const folder = temporaryFolder(onTestFinished);
    const network = IS_NAMESPACED ? await createNamespaces() : createLoopback();
    const binary = SERVER?.path ?? findNatsServer();
    const plan = { ...PLAN, folder, network, binary, random: createRandom(SEED) };
    const { readers, receipts, said, durable, faults } = await runFaults(plan, onTestFinished);
    const [first = []] = readers;
    const shown = { readers, count: new Set(first).size, stored: [...first].toSorted(), durable };
    const wanted = { readers: readers.map(() => first), count: said, stored: receipts.toSorted() };
    expect(shown, `CLAW_SEED=${SEED}: ${faults.join(", ")}`).toEqual({ ...wanted, durable: { seen: said, twice: [] } });
  },
  PLAN.runMs,
);
