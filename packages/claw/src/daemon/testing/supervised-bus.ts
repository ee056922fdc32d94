import { ClawError } from "claw-contract";
import { onTestFinished } from "vitest";
import type { BusHarness, TestBusOptions } from "../../bus/testing/bus-harness.ts";
import { startBus } from "../../bus/testing/bus-harness.ts";
import { createMemoryLog } from "../../bus/log/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createLifetime } from "../process/keep-running.ts";
import { createMemoryMomentStore } from "../moments/testing/memory-moment-store.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import { utcDay } from "../supervision/budgets/budget-memory.ts";
import { supervise } from "../supervision/supervise.ts";

/** The error of every start whose name was free: no worker is really started. */
export const NOT_STARTED = "CONFIRMATION_REQUIRED";

export interface SupervisedOptions extends TestBusOptions {
  readonly supervised?: Partial<SuperviseOptions>;
  readonly moments?: Partial<SuperviseOptions["moments"]>;
}

/** A bus with all extensions of the daemon, in memory. */
export function startSupervisedBus({ moments, supervised, ...more }: SupervisedOptions = {}): Promise<BusHarness> {
  const log = more.log ?? createMemoryLog();
  const cwd = temporaryFolder(onTestFinished);
  const lifetime = createLifetime();
  onTestFinished(() => lifetime.end());
  const refuse = (): never => {
    throw new ClawError(NOT_STARTED, "no", { operation: "spawn_worker", target: "test" });
  };
  return startBus({
    ...more,
    log,
    extend: (host) =>
      supervise(host, {
        cwd,
        folder: cwd,
        socket: `${cwd}/claws.sock`,
        env: {},
        umask: 0o022,
        bearerFor: () => null,
        doors: { open: () => Promise.resolve({}), close: () => Promise.resolve() },
        rules: [],
        program: ["/nonexistent"],
        part: refuse,
        lifetime,
        perDay: {},
        dayOf: utcDay,
        version: "0.0.0",
        touch: () => undefined,
        report: () => undefined,
        moments: { log, store: createMemoryMomentStore(), ...moments },
        ...supervised,
      }),
  });
}
