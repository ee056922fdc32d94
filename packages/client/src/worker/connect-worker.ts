import type { Client } from "../client.ts";
import { createClient } from "../create-client.ts";
import { mergeSubscriptions } from "../merge-subscriptions.ts";
import type { Subscription } from "../subscription.ts";
import { systemTimer } from "../timer.ts";
import { Asks } from "./asks.ts";
import type { Command } from "./command.ts";
import { readCommand } from "./command.ts";
import { createPhaseTrack } from "./phase-track.ts";
import { createSelfReports } from "./self-reports.ts";
import type { Worker, WorkerOptions } from "./worker.ts";

async function* otherCommands(sources: readonly Subscription[], asks: Asks): AsyncGenerator<Command, undefined> {
  for await (const item of mergeSubscriptions(sources)) {
    const command = readCommand(item);
    if (command !== undefined && !asks.isAnswer(command)) yield command;
  }
  return undefined;
}

/** Joins the bus as a worker. Returns at once; what is published waits for the connection. */
export function connectWorker(options: WorkerOptions): Worker {
  const { timer = systemTimer } = options;
  const client: Client = createClient("worker", {
    ...options,
    onStatus: (status) => {
      if (status === "closed") reports.stop();
      options.onStatus?.(status);
    },
  });
  const phases = createPhaseTrack();
  const asks = new Asks(timer, (phase) => phases.permit(phase));
  void asks.listen(client.subscribe("cmd.{self}.**"));
  const own = client.subscribe("cmd.{self}.**");
  const commands = otherCommands([own, client.subscribe("cmd.role.worker")], asks);
  const reports = createSelfReports({ client, phases, asks, timer, options });
  return {
    ...client,
    ...reports.methods,
    currentPhase: () => phases.current(),
    commands: () => commands,
  };
}
