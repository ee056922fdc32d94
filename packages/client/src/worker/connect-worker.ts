import type { ClientStatus } from "../client.ts";
import { createClient } from "../create-client.ts";
import { mergeSubscriptions } from "../subscriptions/merge-subscriptions.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { systemTimer } from "../platform.ts";
import { Asks, readCommand } from "./commands.ts";
import type { Command } from "./commands.ts";
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

/** One stream shared by all callers. After a caller leaves its loop, the next loop gets the commands that follow. */
function createCommands(source: AsyncGenerator<Command, undefined>): AsyncIterableIterator<Command> {
  const commands: AsyncIterableIterator<Command> = {
    next: () => source.next(),
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => commands,
  };
  return commands;
}

/** Joins the bus as a worker. Returns at once; published events wait for the connection. */
export function connectWorker(options: WorkerOptions): Worker {
  const { timer = systemTimer, commandsFrom } = options;
  const onStatus = (status: ClientStatus): void => {
    if (status === "closed") reports.stop();
    options.onStatus?.(status);
  };
  const client = createClient("worker", { ...options, onStatus }, { announceAgain: () => reports.again() });
  const phases = createPhaseTrack();
  const asks = new Asks(timer, (phase) => phases.permit(phase));
  void asks.listen(client.subscribe("cmd.{self}.**"));
  const own = client.subscribe("cmd.{self}.**", commandsFrom === undefined ? {} : { from: commandsFrom });
  // After another log has replaced the old one, commands the new log already holds are not meant for this worker.
  const role = client.subscribe("cmd.role.worker", { newOnly: true });
  const commands = createCommands(otherCommands([own, role], asks));
  const reports = createSelfReports({ client, phases, asks, timer, options });
  return {
    ...client,
    ...reports.methods,
    currentPhase: () => phases.current(),
    commands: () => commands,
  };
}
