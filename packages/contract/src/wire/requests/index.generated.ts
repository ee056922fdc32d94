// Made by `npm run generate`. Edit the request's contract instead.
import { ack } from "./connection/ack.ts";
import { answerApproval } from "./approvals/answer.ts";
import { listApprovals } from "./approvals/list.ts";
import { auth } from "./connection/auth.ts";
import { broadcast } from "./publishing/broadcast.ts";
import { listBudgets } from "./budgets/list.ts";
import { setBudget } from "./budgets/set.ts";
import { closeTerminal } from "./terminals/close.ts";
import { acknowledgeCommand } from "./commands/acknowledge.ts";
import { createTerminal } from "./terminals/create.ts";
import { deliverCommand } from "./commands/deliver.ts";
import { execCommand } from "./terminals/exec.ts";
import { hello } from "./connection/hello.ts";
import { introspect } from "./about/introspect.ts";
import { advanceMission } from "./missions/advance.ts";
import { markWorkerStatus } from "./missions/mark-worker-status.ts";
import { planMission } from "./missions/plan.ts";
import { reflectOnMission } from "./missions/reflect.ts";
import { registerMonitor } from "./missions/register-monitor.ts";
import { registerSpawn } from "./missions/register-spawn.ts";
import { showMission } from "./missions/snapshot.ts";
import { listTerminals } from "./terminals/list.ts";
import { isArmed } from "./missions/is-armed.ts";
import { registerIntent } from "./missions/register-intent.ts";
import { listPeers } from "./about/peers.ts";
import { ping } from "./about/ping.ts";
import { closePipeline } from "./pipelines/close.ts";
import { createPipeline } from "./pipelines/create.ts";
import { listPipelines } from "./pipelines/list.ts";
import { pollHistory } from "./terminals/poll.ts";
import { publish } from "./publishing/publish.ts";
import { readHistory } from "./terminals/read.ts";
import { readTerminalLog } from "./terminals/read-log.ts";
import { callPeer } from "./calls/call.ts";
import { showSchema } from "./schemas/get.ts";
import { listSchemas } from "./schemas/list.ts";
import { sendText } from "./terminals/send.ts";
import { showTerminal } from "./terminals/show.ts";
import { subscribe } from "./connection/subscribe.ts";
import { assignTask } from "./tasks/assign.ts";
import { cancelTask } from "./tasks/cancel.ts";
import { completeTask } from "./tasks/complete.ts";
import { listTasks } from "./tasks/list.ts";
import { updateTask } from "./tasks/update.ts";
import { showScreen } from "./terminals/screen.ts";
import { typeText } from "./terminals/type.ts";
import { createToken } from "./tokens/create.ts";
import { listTokens } from "./tokens/list.ts";
import { revokeToken } from "./tokens/revoke.ts";
import { unsubscribe } from "./connection/unsubscribe.ts";
import { completeWave } from "./waves/complete.ts";
import { createWave } from "./waves/create.ts";
import { showWave } from "./waves/status.ts";
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
  "ack": ack,
  "approval.answer": answerApproval,
  "approval.list": listApprovals,
  "auth": auth,
  "broadcast": broadcast,
  "budget.list": listBudgets,
  "budget.set": setBudget,
  "close": closeTerminal,
  "cmd.ack": acknowledgeCommand,
  "create": createTerminal,
  "deliver-cmd": deliverCommand,
  "exec": execCommand,
  "hello": hello,
  "introspect": introspect,
  "lifecycle.advance": advanceMission,
  "lifecycle.mark-worker-status": markWorkerStatus,
  "lifecycle.plan": planMission,
  "lifecycle.reflect": reflectOnMission,
  "lifecycle.register-monitor": registerMonitor,
  "lifecycle.register-spawn": registerSpawn,
  "lifecycle.snapshot": showMission,
  "list": listTerminals,
  "monitors.is-corr-armed": isArmed,
  "monitors.register-intent": registerIntent,
  "peers": listPeers,
  "ping": ping,
  "pipeline.close": closePipeline,
  "pipeline.create": createPipeline,
  "pipeline.list": listPipelines,
  "poll": pollHistory,
  "publish": publish,
  "read": readHistory,
  "readLog": readTerminalLog,
  "rpc.call": callPeer,
  "schema.get": showSchema,
  "schema.list": listSchemas,
  "send": sendText,
  "show": showTerminal,
  "subscribe": subscribe,
  "task.assign": assignTask,
  "task.cancel": cancelTask,
  "task.complete": completeTask,
  "task.list": listTasks,
  "task.update": updateTask,
  "terminal.screen": showScreen,
  "terminal.type": typeText,
  "token.create": createToken,
  "token.list": listTokens,
  "token.revoke": revokeToken,
  "unsubscribe": unsubscribe,
  "wave.complete": completeWave,
  "wave.create": createWave,
  "wave.status": showWave,
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
