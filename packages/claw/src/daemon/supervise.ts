import type { BusExtension, BusHost } from "../bus/index.ts";
import { createApprovals } from "./approvals/approvals.ts";
import { createBudgets } from "./budgets/budgets.ts";
import { localDay } from "./budgets/local-day.ts";
import { createCommands } from "./commands/commands.ts";
import { createCompletion } from "./completion/completion.ts";
import { createFleet } from "./fleet/fleet.ts";
import { createStates } from "./states/states.ts";
import type { SuperviseOptions } from "./supervise-options.ts";
import { createTrouble } from "./trouble/trouble.ts";
import { terminalRequests } from "./workers/terminal-requests.ts";
import { createWorkers } from "./workers/workers.ts";
import type { ReportStanding } from "./workers/worktree-keeper.ts";

/** The daemon's extensions of the bus, which turn peers into supervised workers. */
export function supervise(host: BusHost, options: SuperviseOptions): readonly BusExtension[] {
  const { rules, env, lifetime, perDay, prices, touch } = options;
  const fleet = createFleet();
  const nameOf = (peerId: string): string => fleet.get(peerId)?.name ?? peerId;
  const money = { perDay, dayOf: localDay, nameOf, ...(prices === undefined ? {} : { prices }) };
  const budgets = createBudgets(host, money);
  const commands = createCommands(host, { fleet, touch });
  const waitingCommands = (peerId: string): readonly number[] => commands.waiting(peerId);
  const standing = (peerId: string): ReportStanding => completion.standing(peerId);
  const workers = createWorkers(host, { options, fleet, budgets, waitingCommands, standing });
  const overBudget = (peerId: string): string | undefined => budgets.refusal(peerId);
  const restarts = {
    restart: async (peerId: string, reason: string) =>
      void (await workers.restartWorker({ peerId, reason, isAsked: false })),
    overBudget,
  };
  const completion = createCompletion(host, { fleet, env, lifetime, restarter: restarts });
  return [
    { name: "fleet", memory: fleet.memory },
    workers.extension,
    { name: "worker-terminals", requests: terminalRequests(host, fleet) },
    createStates(host, fleet).extension,
    commands.extension,
    createApprovals(host, { fleet, rules, env }),
    completion.extension,
    budgets.extension,
    createTrouble(host, { restarts, overBudget, jitter: Math.random, touch }),
  ];
}
