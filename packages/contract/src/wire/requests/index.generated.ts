// Made by `npm run generate`. Edit the request's contract instead.
import { answerApproval } from "./approvals/answer.ts";
import { listApprovals } from "./approvals/list.ts";
import { listBudgets } from "./budgets/list.ts";
import { setBudget } from "./budgets/set.ts";
import { ping } from "./about/ping.ts";
import { assignTask } from "./tasks/assign.ts";
import { typeText } from "./terminals/type.ts";
import { acceptWorker } from "./workers/accept.ts";
import { findWorker } from "./workers/find.ts";
import { listWorkers } from "./workers/list.ts";
import { removeWorker } from "./workers/remove.ts";
import { reportWorker } from "./workers/report.ts";
import { restartWorker } from "./workers/restart.ts";
import { reworkWorker } from "./workers/rework.ts";
import { showWorker } from "./workers/show.ts";
import { spawnWorker } from "./workers/spawn.ts";
import { lookAtTerminal } from "./workers/terminal.ts";
import { closeAgentTerminal } from "./workers/terminal-close.ts";
import { openAgentTerminal } from "./workers/terminal-open.ts";
import { watchAgentTerminal } from "./workers/terminal-watch.ts";

/** Every request of the wire, by its `cmd`. */
export const REQUESTS = {
  "approval.answer": answerApproval,
  "approval.list": listApprovals,
  "budget.list": listBudgets,
  "budget.set": setBudget,
  "ping": ping,
  "task.assign": assignTask,
  "terminal.type": typeText,
  "worker.accept": acceptWorker,
  "worker.find": findWorker,
  "worker.list": listWorkers,
  "worker.remove": removeWorker,
  "worker.report": reportWorker,
  "worker.restart": restartWorker,
  "worker.rework": reworkWorker,
  "worker.show": showWorker,
  "worker.spawn": spawnWorker,
  "worker.terminal": lookAtTerminal,
  "worker.terminal.close": closeAgentTerminal,
  "worker.terminal.open": openAgentTerminal,
  "worker.terminal.watch": watchAgentTerminal,
} as const;
