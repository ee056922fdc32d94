import { ack } from "./ack.ts";
import { auth } from "./auth.ts";
import { broadcast } from "./broadcast.ts";
import type { Command } from "./command.ts";
import { acknowledgeCommand, deliverCommand } from "./deliver-command.ts";
import { createTerminal } from "./create-terminal.ts";
import { execCommand, pollHistory, readHistory } from "./exec.ts";
import { hello } from "./hello.ts";
import { peers, ping } from "./inspect.ts";
import { introspect } from "./introspect.ts";
import {
  advanceMission,
  markWorkerStatus,
  planMission,
  reflectOnMission,
  registerMonitor,
  registerSpawn,
  showMission,
} from "./lifecycle.ts";
import { isArmed, registerIntent } from "./monitors.ts";
import { closePipeline, createPipeline, listPipelines } from "./pipelines.ts";
import { publishCommand } from "./publish.ts";
import { callPeer } from "./rpc.ts";
import { listSchemas, showSchema } from "./schemas.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";
import { assignTask, cancelTask, completeTask, listTasks, updateTask } from "./tasks.ts";
import { closeTerminal, listTerminals, readTerminalLog, sendText, showScreen, showTerminal } from "./terminals.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";
import { completeWave, createWave, showWave } from "./waves.ts";

export const COMMANDS: ReadonlyMap<unknown, Command> = new Map<unknown, Command>([
  ["hello", hello],
  ["auth", auth],
  ["subscribe", subscribe],
  ["unsubscribe", unsubscribe],
  ["ack", ack],
  ["publish", publishCommand],
  ["broadcast", broadcast],
  ["task.assign", assignTask],
  ["task.update", updateTask],
  ["task.complete", completeTask],
  ["task.cancel", cancelTask],
  ["task.list", listTasks],
  ["deliver-cmd", deliverCommand],
  ["cmd.ack", acknowledgeCommand],
  ["rpc.call", callPeer],
  ["lifecycle.plan", planMission],
  ["lifecycle.advance", advanceMission],
  ["lifecycle.snapshot", showMission],
  ["lifecycle.reflect", reflectOnMission],
  ["lifecycle.register-spawn", registerSpawn],
  ["lifecycle.register-monitor", registerMonitor],
  ["lifecycle.mark-worker-status", markWorkerStatus],
  ["monitors.register-intent", registerIntent],
  ["monitors.is-corr-armed", isArmed],
  ["wave.create", createWave],
  ["wave.status", showWave],
  ["wave.complete", completeWave],
  ["pipeline.create", createPipeline],
  ["pipeline.list", listPipelines],
  ["pipeline.close", closePipeline],
  ["token.create", createToken],
  ["token.list", listTokens],
  ["token.revoke", revokeToken],
  ["schema.list", listSchemas],
  ["schema.get", showSchema],
  ["list", listTerminals],
  ["create", createTerminal],
  ["show", showTerminal],
  ["send", sendText],
  ["exec", execCommand],
  ["read", readHistory],
  ["poll", pollHistory],
  ["readLog", readTerminalLog],
  ["close", closeTerminal],
  ["terminal.screen", showScreen],
  ["introspect", introspect],
  ["peers", peers],
  ["ping", ping],
]);
