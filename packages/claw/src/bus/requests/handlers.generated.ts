// Made by `npm run generate`. Edit the request's contract instead.
import { handleAck } from "./ack.ts";
import { handleAuth } from "./auth.ts";
import { handleBroadcast } from "./broadcast.ts";
import { handleAcknowledgeCommand, handleDeliverCommand } from "./deliver-command.ts";
import { handleHello } from "./hello.ts";
import { handlePeerList, handlePing } from "./inspect.ts";
import { handleIntrospect } from "./introspect.ts";
import { handleAdvanceMission, handleMarkWorkerStatus, handlePlanMission, handleReflectOnMission, handleRegisterMonitor, handleRegisterSpawn, handleShowMission } from "./lifecycle.ts";
import { handleLogCursor } from "./log-cursor.ts";
import { handleLogRead } from "./log-read.ts";
import { handleIsArmed, handleRegisterIntent } from "./monitors.ts";
import { handleClosePipeline, handleCreatePipeline, handleListPipelines } from "./pipelines.ts";
import { handlePublishEvent } from "./publish.ts";
import { handleCallPeer } from "./rpc.ts";
import { handleListSchemas, handleShowSchema } from "./schemas.ts";
import { handleSubscribe, handleUnsubscribe } from "./subscribe.ts";
import { handleAssignTask, handleCancelTask, handleCompleteTask, handleListTasks, handleUpdateTask } from "./tasks.ts";
import { handleCreateTerminal } from "./terminals/create-terminal.ts";
import { handleExecCommand, handlePollHistory, handleReadHistory } from "./terminals/exec.ts";
import { handleFollowOutput, handleResizeTerminal, handleWriteTerminal } from "./terminals/stream.ts";
import { handleCloseTerminal, handleListTerminals, handleReadTerminalLog, handleSendText, handleShowScreen, handleShowTerminal } from "./terminals/terminals.ts";
import { handleCreateToken, handleListTokens, handleRevokeToken } from "./tokens.ts";
import { handleCompleteWave, handleCreateWave, handleShowWave } from "./waves.ts";
import type { RequestHandler } from "./request-handler.ts";

/** The bus's own handlers, by the request's `cmd`. */
export const HANDLERS: ReadonlyMap<unknown, RequestHandler> = new Map<unknown, RequestHandler>([
  ["ack", handleAck],
  ["auth", handleAuth],
  ["broadcast", handleBroadcast],
  ["close", handleCloseTerminal],
  ["cmd.ack", handleAcknowledgeCommand],
  ["create", handleCreateTerminal],
  ["deliver-cmd", handleDeliverCommand],
  ["exec", handleExecCommand],
  ["hello", handleHello],
  ["introspect", handleIntrospect],
  ["lifecycle.advance", handleAdvanceMission],
  ["lifecycle.mark-worker-status", handleMarkWorkerStatus],
  ["lifecycle.plan", handlePlanMission],
  ["lifecycle.reflect", handleReflectOnMission],
  ["lifecycle.register-monitor", handleRegisterMonitor],
  ["lifecycle.register-spawn", handleRegisterSpawn],
  ["lifecycle.snapshot", handleShowMission],
  ["list", handleListTerminals],
  ["log.cursor", handleLogCursor],
  ["log.read", handleLogRead],
  ["monitors.is-corr-armed", handleIsArmed],
  ["monitors.register-intent", handleRegisterIntent],
  ["peers", handlePeerList],
  ["ping", handlePing],
  ["pipeline.close", handleClosePipeline],
  ["pipeline.create", handleCreatePipeline],
  ["pipeline.list", handleListPipelines],
  ["poll", handlePollHistory],
  ["publish", handlePublishEvent],
  ["read", handleReadHistory],
  ["readLog", handleReadTerminalLog],
  ["rpc.call", handleCallPeer],
  ["schema.get", handleShowSchema],
  ["schema.list", handleListSchemas],
  ["send", handleSendText],
  ["show", handleShowTerminal],
  ["subscribe", handleSubscribe],
  ["task.assign", handleAssignTask],
  ["task.cancel", handleCancelTask],
  ["task.complete", handleCompleteTask],
  ["task.list", handleListTasks],
  ["task.update", handleUpdateTask],
  ["terminal.output", handleFollowOutput],
  ["terminal.resize", handleResizeTerminal],
  ["terminal.screen", handleShowScreen],
  ["terminal.write", handleWriteTerminal],
  ["token.create", handleCreateToken],
  ["token.list", handleListTokens],
  ["token.revoke", handleRevokeToken],
  ["unsubscribe", handleUnsubscribe],
  ["wave.complete", handleCompleteWave],
  ["wave.create", handleCreateWave],
  ["wave.status", handleShowWave],
]);
