import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../../packages/claw/src/cluster/index.ts";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { clawsFile, connectWire, isAlive, killHard } from "./daemon-process.ts";
import { eventsOf, on, startMachine, startServer } from "./cluster-scene.ts";

/** The numbers that the messages of a machine carry for its name, with their sequences. */
async function numbersOf({ url }: NatsServer, machine: string) {
  const connection = await openConnection({ url, name: "operator" });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection.nats);
  const { state } = await manager.streams.info("claw_test");
  const found: { readonly sequence: number; readonly number: number }[] = [];
  for (let seq = 1; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage("claw_test", { seq });
    const [key, number] = (message?.header.get("Claw-Lease") ?? "").split(" ");
    if (key === "own" && message?.subject.startsWith(`claw.test.${machine}.`) === true) {
      found.push({ sequence: seq, number: Number(number) });
    }
  }
  return found;
}

const sequenceOf = ({ cursor }: Frame): number => Number(String(cursor).split(":")[1]);

test("a daemon that is stopped past its lease while it writes: what it says later counts on no machine", async () => {
  const server = await startServer();
  const two = await startMachine(server, "two");
  const stopped = await startMachine(server, "one");
  const { pid, socket } = stopped.daemon;
  const clients = await Promise.all(Array.from({ length: 5 }, () => connectWire(socket)));
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  // It reads these as soon as it runs again, and says of each that it joined.
  const hello = { id: 1, cmd: "hello", protocol: "claws/2", role: "observer", peerName: "late" };
  for (const client of clients) client.send(hello);
  const holder = await startMachine(server, "one");
  const peer = await connectWire(holder.daemon.socket);
  await peer.hello("observer", { peerName: "new" });
  process.kill(pid, "SIGCONT");
  await until("the daemon that lost its name to end", () => !isAlive(pid));
  const numbers = await numbersOf(server, "one");
  const newest = Math.max(...numbers.map(({ number }) => number));
  const turn = numbers.findIndex(({ number }) => number === newest);
  const late = numbers.slice(turn).filter(({ number }) => number < newest);
  expect(late.length).toBeGreaterThan(0);
  const told = await Promise.all([two, holder].map((machine) => eventsOf(machine)));
  const sequences = told[0]?.map(sequenceOf) ?? [];
  for (const { sequence } of late) expect(sequences).not.toContain(sequence);
  for (const { sequence } of numbers.slice(0, turn + 1)) expect(sequences).toContain(sequence);
  expect(told[1]?.map(sequenceOf).slice(0, sequences.length)).toEqual(sequences);
  // A daemon that reads the whole log again ignores the same.
  await killHard(two.daemon.pid);
  rmSync(clawsFile(two.workspace, join("clusters", "test", "state")), { recursive: true });
  await two.startAgain();
  const again = (await eventsOf(two)).map(sequenceOf);
  expect(again.slice(0, sequences.length)).toEqual(sequences);
}, 120_000);

test("a fleet file that two machines run at once starts each of its workers once, and both calls see them done", async () => {
  const server = await startServer();
  const machines = [await startMachine(server, "one"), await startMachine(server, "two")] as const;
  const names = ["a", "b", "c"];
  const workers = names.map((name) => `  - { name: ${name}, harness: fake, scenario: text, mission: "say it" }`);
  const text = ["name: docs", "budget: { tokens: 1000000 }", "workers:", ...workers, ""].join("\n");
  for (const { workspace } of machines) writeFileSync(join(workspace.cwd, "fleet.yaml"), text);
  const ran = await Promise.all(machines.map((machine) => on(machine, "fleet", "fleet.yaml")));
  for (const { error, done } of ran) expect([error, done]).toEqual([undefined, 3]);
  const spawned = (await eventsOf(machines[0])).filter(({ topic }) => topic === "system.worker.spawned");
  const started = spawned.map(({ payload }) =>
    String((payload as Frame)["name"] ?? ((payload as Frame)["data"] as Frame)["name"]),
  );
  expect(started.toSorted((a, b) => a.localeCompare(b))).toEqual(names);
});
