import type { BusExtension, BusHost } from "../../bus/index.ts";
import { createApprovals } from "./approvals/approvals.ts";
import { createBudgets } from "./budgets/budgets.ts";
import { createCommandExtension } from "./commands/commands.ts";
import { createCompletion } from "./completion/completion.ts";
import { createMachines } from "./machines/machines.ts";
import { createMemories } from "./memories.ts";
import { createNotify } from "../notify/notify.ts";
import { createMoments } from "../moments/moments.ts";
import { createStates } from "./states/states.ts";
import type { SuperviseOptions } from "./supervise-options.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import { createTickets } from "./tickets/tickets.ts";
import { createTrouble } from "./trouble/trouble.ts";
import { logRequest } from "../workers/log-requests.ts";
import { terminalRequests } from "../workers/terminal-requests.ts";
import { transcriptRequest } from "../workers/transcript-requests.ts";
import { createWorkers } from "../workers/workers.ts";
import { diffRequest } from "../workers/worktrees/diff-request.ts";
import { mergeRequest } from "../workers/worktrees/merge-request.ts";
import { ownVerbs } from "../workers/worktrees/run-own-verb.ts";
import type { ReportState } from "../workers/worktrees/worktree-keeper.ts";

/** Requests about files of workers: worktrees and transcripts. */
function fileRequests(
  host: BusHost,
  registry: WorkerRegistry,
  options: SuperviseOptions,
): NonNullable<BusExtension["requests"]> {
  const { env, report } = options;
  const runVerb = ownVerbs(options);
  return [
    diffRequest({ registry, env, runVerb }),
    mergeRequest({ host, registry, runVerb, report }),
    transcriptRequest(registry, options),
    logRequest(registry, options),
  ];
}

/** The daemon's extensions of the bus, which turn peers into supervised workers. */
export function supervise(host: BusHost, options: SuperviseOptions): readonly BusExtension[] {
  const { rules, env, lifetime, perDay, prices, touch } = options;
  const memories = createMemories(options);
  const { registry } = memories;
  const nameOf = (peerId: string): string => registry.get(peerId)?.name ?? peerId;
  const priced = prices === undefined ? {} : { prices };
  const money = { perDay, nameOf, memory: memories.budgets, ...priced };
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
  const judging = { restarter: restarts, memory: memories.reports };
  const completion = createCompletion(host, { registry, env, lifetime, ...judging });
  const states = createStates(host, registry, { workers: memories.workers, silenceOf: options.silenceOf });
  const approvals = createApprovals(host, { registry, rules, env, memory: memories.approvals });
  return [
    {
      name: "worker-registry",
      memory: registry.memory,
      peerOf: (kind, named) => (kind === "worker" ? registry.find(named)?.peerId : undefined),
    },
    workers.extension,
    { name: "worker-files", requests: fileRequests(host, registry, options) },
    { name: "worker-terminals", requests: terminalRequests(host, registry) },
    createMachines(host, { registry, ...options }),
    states.extension,
    commands.extension,
    approvals.extension,
    completion.extension,
    budgets.extension,
    createTickets(host, { registry, approvals, view: states.get, report: completion.report }),
    createTrouble(host, { registry, restarts, overBudget, jitter: Math.random, touch, memory: memories.trouble }),
    ...(options.notify === undefined ? [] : [createNotify(host, { ...options, ...options.notify, registry })]),
    createMoments(host, { ...options.moments, memories, env, perDay, silenceOf: options.silenceOf }),
  ];
}
