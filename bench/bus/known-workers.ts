import type { Worker } from "claw-client";
import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import type { Client } from "./client.ts";
import { openClient } from "./client.ts";
import type { Server } from "./server.ts";

/** Workers that a daemon looks after while it is measured. They report nothing but heartbeats. */
export interface KnownWorkers {
  close(): Promise<void>;
}

interface Fleet {
  readonly workers: number;
  /** How many of them wait for an answer. */
  readonly approvals: number;
  /** Whether each has a budget. */
  readonly hasBudgets: boolean;
}

const BOOT = { model: "m", mission_summary: "wait", cwd: "/" };
const BUDGET = { usd: 1000, tokens: 1e9 };

/** A question that is never answered: it ends with the worker. */
function askForever(worker: Worker): Promise<void> {
  return worker.ask({ message: "May I?", options: [{ id: "yes" }, { id: "no" }] }).then(
    () => undefined,
    () => undefined,
  );
}

async function openWorker(server: Server, index: number): Promise<Worker> {
  const worker = connectWorker({ channel: unixChannel(server.socket), name: `known-${index}` });
  await worker.boot(BOOT);
  return worker;
}

/** Resolves when as many approvals are open. */
async function untilAsked(main: Client, count: number): Promise<void> {
  for (;;) {
    const { approvals } = await main.request({ cmd: "approval.list" });
    if ((approvals as unknown[]).length >= count) return;
  }
}

/** Boots the workers of a fleet and sets their budgets. Resolves when all their questions are open. */
export async function openKnownWorkers(server: Server, fleet: Fleet): Promise<KnownWorkers> {
  const main = await openClient(server.socket, "orchestrator");
  const workers: Worker[] = [];
  for (let index = 0; index < fleet.workers; index += 1) workers.push(await openWorker(server, index));
  const asked = workers.slice(0, fleet.approvals).map(askForever);
  if (fleet.hasBudgets) {
    for (const worker of workers) {
      await main.request({ cmd: "budget.set", scope: "worker", target: worker.peerId(), budget: BUDGET });
    }
  }
  await untilAsked(main, fleet.approvals);
  return {
    close: async () => {
      main.close();
      await Promise.all([...workers.map((worker) => worker.close()), ...asked]);
    },
  };
}
