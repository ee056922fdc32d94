import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { startServer } from "./cluster-scene.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { stopDaemon } from "./migration-scene.ts";
import { createWorkspace } from "./workspace.ts";

const SHIFTED = fileURLToPath(new URL("../reliability/cluster/shifted-clock.mjs", import.meta.url));
const HOUR_MS = 3_600_000;

/** How far a clock has to be ahead to show a time of today, in UTC. */
const aheadBy = (hour: number): number => new Date().setUTCHours(hour, 30, 0, 0) - Date.now();

interface Place {
  readonly name: string;
  readonly zone: string;
  /** How far its clock is ahead of the others'. */
  readonly fastMs: number;
}

/** A machine in a time zone of its own, whose daemon starts at an hour of the day. */
function createMachine({ url }: NatsServer, { name, zone, fastMs }: Place): (hour: number) => Promise<Daemon> {
  const workspace = createWorkspace([
    "--bus",
    url,
    "--cluster",
    "test",
    "--machine",
    name,
    "--budget-usd-per-day",
    "50",
  ]);
  return (hour) => {
    const clock = { NODE_OPTIONS: `--import=${SHIFTED}`, CLAW_TEST_CLOCK_MS: String(aheadBy(hour) + fastMs) };
    return startDaemon({ ...workspace, env: { TZ: zone, ...clock } });
  };
}

async function spend({ socket }: Daemon, dollars: number): Promise<void> {
  const worker = await connectWire(socket);
  onTestFinished(() => worker.close());
  const id = await worker.hello("worker", { peerName: `spender-${dollars}` });
  const boot = { model: "m", role: "worker", mission_summary: "spend", cwd: "/", terminal_id: "" };
  await worker.publish(`worker.${id}.boot`, boot);
  const beat = { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 0, cost_usd: dollars };
  expect(await worker.publish(`worker.${id}.heartbeat`, beat)).toMatchObject({ ok: true });
}

async function spentToday({ socket }: Daemon): Promise<unknown> {
  const client = await connectWire(socket);
  onTestFinished(() => client.close());
  await client.hello("observer");
  const { budgets } = await client.ask({ cmd: "budget.list" });
  const day = (budgets as Frame[]).find(({ scope }) => scope === "day");
  return (day?.["spent"] as Frame | undefined)?.["usd"];
}

test("machines in time zones a day apart, whose clocks differ by an hour, count the same for today", async () => {
  const server = await startServer();
  const starts = [
    createMachine(server, { name: "east", zone: "Pacific/Kiritimati", fastMs: 0 }),
    createMachine(server, { name: "west", zone: "Etc/GMT+12", fastMs: -HOUR_MS }),
  ];
  const startAt = (hour: number): Promise<Daemon[]> => Promise.all(starts.map((start) => start(hour)));
  const [east, west] = (await startAt(9)) as [Daemon, Daemon];
  await spend(east, 1);
  await spend(west, 2);
  for (const daemon of [east, west]) {
    await until("all to be counted", async () => (await spentToday(daemon)) === 3);
    await stopDaemon(daemon);
  }
  // In the east a new day has begun meanwhile, by the clock on the wall.
  expect(await Promise.all((await startAt(11)).map(spentToday))).toEqual([3, 3]);
});
