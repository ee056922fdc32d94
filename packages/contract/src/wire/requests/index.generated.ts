// Made by `npm run generate`. Edit the request's contract instead.
import { ackRequest } from "./connection/ack.ts";
import { answerApprovalRequest } from "./approvals/answer.ts";
import { listApprovalsRequest } from "./approvals/list.ts";
import { authRequest } from "./connection/auth.ts";
import { broadcastRequest } from "./publishing/broadcast.ts";
import { listBudgetsRequest } from "./budgets/list.ts";
import { setBudgetRequest } from "./budgets/set.ts";
import { closeTerminalRequest } from "./terminals/close.ts";
import { acknowledgeCommandRequest } from "./commands/acknowledge.ts";
import { createTerminalRequest } from "./terminals/create.ts";
import { deliverCommandRequest } from "./commands/deliver.ts";
import { execCommandRequest } from "./terminals/exec.ts";
import { helloRequest } from "./connection/hello.ts";
import { introspectRequest } from "./about/introspect.ts";
import { advanceMissionRequest } from "./missions/advance.ts";
import { markWorkerStatusRequest } from "./missions/mark-worker-status.ts";
import { planMissionRequest } from "./missions/plan.ts";
import { reflectOnMissionRequest } from "./missions/reflect.ts";
import { registerMonitorRequest } from "./missions/register-monitor.ts";
import { registerSpawnRequest } from "./missions/register-spawn.ts";
import { showMissionRequest } from "./missions/snapshot.ts";
import { listTerminalsRequest } from "./terminals/list.ts";
import { logCursorRequest } from "./about/log-cursor.ts";
import { logReadRequest } from "./about/log-read.ts";
import { listMachinesRequest } from "./machines/list.ts";
import { showMomentRequest } from "./moments/show.ts";
import { isArmedRequest } from "./missions/is-armed.ts";
import { registerIntentRequest } from "./missions/register-intent.ts";
import { testNotifyRequest } from "./notify/test.ts";
import { openPageRequest } from "./page/open.ts";
import { listPeersRequest } from "./about/peers.ts";
import { pingRequest } from "./about/ping.ts";
import { closePipelineRequest } from "./pipelines/close.ts";
import { createPipelineRequest } from "./pipelines/create.ts";
import { listPipelinesRequest } from "./pipelines/list.ts";
import { pollHistoryRequest } from "./terminals/poll.ts";
import { publishRequest } from "./publishing/publish.ts";
import { readHistoryRequest } from "./terminals/read.ts";
import { readTerminalLogRequest } from "./terminals/read-log.ts";
import { callPeerRequest } from "./calls/call.ts";
import { showSchemaRequest } from "./schemas/get.ts";
import { listSchemasRequest } from "./schemas/list.ts";
import { sendTextRequest } from "./terminals/send.ts";
import { showTerminalRequest } from "./terminals/show.ts";
import { subscribeRequest } from "./connection/subscribe.ts";
import { assignTaskRequest } from "./tasks/assign.ts";
import { cancelTaskRequest } from "./tasks/cancel.ts";
import { completeTaskRequest } from "./tasks/complete.ts";
import { listTasksRequest } from "./tasks/list.ts";
import { updateTaskRequest } from "./tasks/update.ts";
import { followOutputRequest } from "./terminals/output.ts";
import { resizeTerminalRequest } from "./terminals/resize.ts";
import { showScreenRequest } from "./terminals/screen.ts";
import { typeTextRequest } from "./terminals/type.ts";
import { writeTerminalRequest } from "./terminals/write.ts";
import { answerTicketRequest } from "./tickets/answer.ts";
import { cancelTicketRequest } from "./tickets/cancel.ts";
import { openTicketRequest } from "./tickets/open.ts";
import { showTicketRequest } from "./tickets/show.ts";
import { createTokenRequest } from "./tokens/create.ts";
import { listTokensRequest } from "./tokens/list.ts";
import { revokeTokenRequest } from "./tokens/revoke.ts";
import { unsubscribeRequest } from "./connection/unsubscribe.ts";
import { completeWaveRequest } from "./waves/complete.ts";
import { createWaveRequest } from "./waves/create.ts";
import { showWaveRequest } from "./waves/status.ts";
import { acceptWorkerRequest } from "./workers/accept.ts";
import { diffWorkerRequest } from "./workers/diff.ts";
import { findWorkerRequest } from "./workers/find.ts";
import { listWorkersRequest } from "./workers/list.ts";
import { workerLogRequest } from "./workers/log.ts";
import { mergeWorkerRequest } from "./workers/merge.ts";
import { workerOutcomesRequest } from "./workers/outcomes.ts";
import { removeWorkerRequest } from "./workers/remove.ts";
import { reportWorkerRequest } from "./workers/report.ts";
import { restartWorkerRequest } from "./workers/restart.ts";
import { reworkWorkerRequest } from "./workers/rework.ts";
import { showWorkerRequest } from "./workers/show.ts";
import { spawnWorkerRequest } from "./workers/spawn.ts";
import { lookAtTerminalRequest } from "./workers/terminal.ts";
import { closeAgentTerminalRequest } from "./workers/terminal-close.ts";
import { openAgentTerminalRequest } from "./workers/terminal-open.ts";
import { watchAgentTerminalRequest } from "./workers/terminal-watch.ts";
import { workerTranscriptRequest } from "./workers/transcript.ts";

/** Every request of the wire, by its `cmd`. */
export const REQUESTS = {
  "ack": ackRequest,
  "approval.answer": answerApprovalRequest,
  "approval.list": listApprovalsRequest,
  "auth": authRequest,
  "broadcast": broadcastRequest,
  "budget.list": listBudgetsRequest,
  "budget.set": setBudgetRequest,
  "close": closeTerminalRequest,
  "cmd.ack": acknowledgeCommandRequest,
  "create": createTerminalRequest,
  "deliver-cmd": deliverCommandRequest,
  "exec": execCommandRequest,
  "hello": helloRequest,
  "introspect": introspectRequest,
  "lifecycle.advance": advanceMissionRequest,
  "lifecycle.mark-worker-status": markWorkerStatusRequest,
  "lifecycle.plan": planMissionRequest,
  "lifecycle.reflect": reflectOnMissionRequest,
  "lifecycle.register-monitor": registerMonitorRequest,
  "lifecycle.register-spawn": registerSpawnRequest,
  "lifecycle.snapshot": showMissionRequest,
  "list": listTerminalsRequest,
  "log.cursor": logCursorRequest,
  "log.read": logReadRequest,
  "machine.list": listMachinesRequest,
  "moment.show": showMomentRequest,
  "monitors.is-corr-armed": isArmedRequest,
  "monitors.register-intent": registerIntentRequest,
  "notify.test": testNotifyRequest,
  "page.open": openPageRequest,
  "peers": listPeersRequest,
  "ping": pingRequest,
  "pipeline.close": closePipelineRequest,
  "pipeline.create": createPipelineRequest,
  "pipeline.list": listPipelinesRequest,
  "poll": pollHistoryRequest,
  "publish": publishRequest,
  "read": readHistoryRequest,
  "readLog": readTerminalLogRequest,
  "rpc.call": callPeerRequest,
  "schema.get": showSchemaRequest,
  "schema.list": listSchemasRequest,
  "send": sendTextRequest,
  "show": showTerminalRequest,
  "subscribe": subscribeRequest,
  "task.assign": assignTaskRequest,
  "task.cancel": cancelTaskRequest,
  "task.complete": completeTaskRequest,
  "task.list": listTasksRequest,
  "task.update": updateTaskRequest,
  "terminal.output": followOutputRequest,
  "terminal.resize": resizeTerminalRequest,
  "terminal.screen": showScreenRequest,
  "terminal.type": typeTextRequest,
  "terminal.write": writeTerminalRequest,
  "ticket.answer": answerTicketRequest,
  "ticket.cancel": cancelTicketRequest,
  "ticket.open": openTicketRequest,
  "ticket.show": showTicketRequest,
  "token.create": createTokenRequest,
  "token.list": listTokensRequest,
  "token.revoke": revokeTokenRequest,
  "unsubscribe": unsubscribeRequest,
  "wave.complete": completeWaveRequest,
  "wave.create": createWaveRequest,
  "wave.status": showWaveRequest,
  "worker.accept": acceptWorkerRequest,
  "worker.diff": diffWorkerRequest,
  "worker.find": findWorkerRequest,
  "worker.list": listWorkersRequest,
  "worker.log": workerLogRequest,
  "worker.merge": mergeWorkerRequest,
  "worker.outcomes": workerOutcomesRequest,
  "worker.remove": removeWorkerRequest,
  "worker.report": reportWorkerRequest,
  "worker.restart": restartWorkerRequest,
  "worker.rework": reworkWorkerRequest,
  "worker.show": showWorkerRequest,
  "worker.spawn": spawnWorkerRequest,
  "worker.terminal": lookAtTerminalRequest,
  "worker.terminal.close": closeAgentTerminalRequest,
  "worker.terminal.open": openAgentTerminalRequest,
  "worker.terminal.watch": watchAgentTerminalRequest,
  "worker.transcript": workerTranscriptRequest,
} as const;
