import type { BusExtension, BusHost } from "../../bus/index.ts";
import { createApprovals } from "./approvals/approvals.ts";
import { createBudgets } from "./budgets/budgets.ts";
import { localDay } from "./budgets/budget-memory.ts";
import { createCommandExtension } from "./commands/commands.ts";
import { createCompletion } from "./completion/completion.ts";
import { createWorkerRegistry } from "../worker-registry/worker-registry.ts";
import { createStates } from "./states/states.ts";
import type { SuperviseOptions } from "./supervise-options.ts";
import { createTickets } from "./tickets/tickets.ts";
import { createTrouble } from "./trouble/trouble.ts";
import { terminalRequests } from "../workers/terminal-requests.ts";
import { createWorkers } from "../workers/workers.ts";
import type { ReportState } from "../workers/worktrees/worktree-keeper.ts";

/** The daemon's extensions of the bus, which turn peers into supervised workers. */
export function supervise(host: BusHost, options: SuperviseOptions): readonly BusExtension[] {
  const { rules, env, lifetime, perDay, prices, touch } = options;
  const registry = createWorkerRegistry();
  const nameOf = (peerId: string): string => registry.get(peerId)?.name ?? peerId;
  const money = { registry, perDay, dayOf: localDay, nameOf, ...(prices === undefined ? {} : { prices }) };
  const budgets = createBudgets(host, money);
  const commands = createCommandExtension(host, { registry, touch });
  const reportState = (peerId: string): ReportState => completion.reportState(peerId);
  const workers = createWorkers(host, { options, registry, budgets, waitingCommands: commands.waiting, reportState });
  const overBudget = budgets.refusal;
  const restarts = {
    restart: async (peerId: string, reason: string) =>
      void (await workers.restartWorker({ peerId, reason, isAsked: false })),
    overBudget,
  };
  const completion = createCompletion(host, { registry, env, lifetime, restarter: restarts });
  const states = createStates(host, registry);
  const approvals = createApprovals(host, { registry, rules, env });
  const ticketFacts = {
    registry,
    approvals,
    view: (peerId: string) => states.get(peerId),
    report: (peerId: string) => completion.report(peerId),
  };
  return [
    { name: "worker-registry", memory: registry.memory },
    workers.extension,
    { name: "worker-terminals", requests: terminalRequests(host, registry) },
    states.extension,
    commands.extension,
    approvals.extension,
    completion.extension,
    budgets.extension,
    createTickets(host, ticketFacts),
    createTrouble(host, { registry, restarts, overBudget, jitter: Math.random, touch }),
  ];
}
