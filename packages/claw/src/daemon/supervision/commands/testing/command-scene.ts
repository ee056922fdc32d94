import type { BusHarness, Frame, Joined, TestBusOptions } from "../../../../bus/testing/bus-harness.ts";
import { join, pushes, request, startBus, watch } from "../../../../bus/testing/bus-harness.ts";
import { createWorkerRegistry } from "../../../worker-registry/worker-registry.ts";
import type { CommandOptions } from "../commands.ts";
import { createCommandExtension } from "../commands.ts";

/** A bus that follows commands. */
export const startCommandBus = (
  options: TestBusOptions = {},
  commands: Omit<CommandOptions, "registry"> = {},
): Promise<BusHarness> =>
  startBus({
    ...options,
    extend: (host) => {
      const registry = createWorkerRegistry();
      return [
        { name: "worker-registry", memory: registry.memory },
        createCommandExtension(host, { registry, ...commands }).extension,
      ];
    },
  });

/** A worker that has said what it can do. */
export async function bootWorker(
  harness: BusHarness,
  capabilities: readonly string[] = [],
  more: Frame = {},
): Promise<Joined> {
  const worker = await join(harness, "worker", more);
  const boot = { model: "m", role: "worker", mission_summary: "test", cwd: "/", terminal_id: "", capabilities };
  await say(worker, "boot", boot);
  return worker;
}

export const say = ({ client, id }: Joined, kind: string, data: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${kind}`, payload: data });

export const boss = (harness: BusHarness): Promise<Joined> =>
  join(harness, "orchestrator", { capabilities: ["receipts"] });

export const command = ({ client }: Joined, peerId: string, action: string, data: Frame = {}): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `cmd.${peerId}.${action}`, payload: data });

/** Every step there was and will be. */
export async function watchSteps(harness: BusHarness): Promise<() => readonly Frame[]> {
  const client = await watch(harness);
  await request(client, { cmd: "subscribe", topic: "system.command.*", fromCursor: "0000:0" });
  return () =>
    pushes(client).map(({ topic, payload }) => ({
      ...(payload as Frame),
      step: String(topic).slice("system.command.".length),
    }));
}

export const stepsOf = (steps: readonly Frame[]): string[] => steps.map(({ step }) => String(step));
