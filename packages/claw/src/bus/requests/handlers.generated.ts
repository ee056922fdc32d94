// Made by `npm run generate`. Edit the request's contract instead.
import { ack } from "./ack.ts";
import { auth } from "./auth.ts";
import { broadcast } from "./broadcast.ts";
import { createTerminal } from "./create-terminal.ts";
import { acknowledgeCommand, deliverCommand } from "./deliver-command.ts";
import { execCommand, pollHistory, readHistory } from "./exec.ts";
import { hello } from "./hello.ts";
import { peers, ping } from "./inspect.ts";
import { introspect } from "./introspect.ts";
import { advanceMission, markWorkerStatus, planMission, reflectOnMission, registerMonitor, registerSpawn, showMission } from "./lifecycle.ts";
import { isArmed, registerIntent } from "./monitors.ts";
import { closePipeline, createPipeline, listPipelines } from "./pipelines.ts";
import { publishEvent } from "./publish.ts";
import { callPeer } from "./rpc.ts";
import { listSchemas, showSchema } from "./schemas.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";
import { assignTask, cancelTask, completeTask, listTasks, updateTask } from "./tasks.ts";
import { closeTerminal, listTerminals, readTerminalLog, sendText, showScreen, showTerminal } from "./terminals.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";
import { completeWave, createWave, showWave } from "./waves.ts";
import type { RequestHandler } from "./request-handler.ts";

/** The bus's own handlers, by the request's `cmd`. */
export const HANDLERS: ReadonlyMap<unknown, RequestHandler> = new Map<unknown, RequestHandler>([
  ["ack", ack],
  ["auth", auth],
  ["broadcast", broadcast],
  ["close", closeTerminal],
  ["cmd.ack", acknowledgeCommand],
  ["create", createTerminal],
  ["deliver-cmd", deliverCommand],
  ["exec", execCommand],
  ["hello", hello],
  ["introspect", introspect],
  ["lifecycle.advance", advanceMission],
  ["lifecycle.mark-worker-status", markWorkerStatus],
  ["lifecycle.plan", planMission],
  ["lifecycle.reflect", reflectOnMission],
  ["lifecycle.register-monitor", registerMonitor],
  ["lifecycle.register-spawn", registerSpawn],
  ["lifecycle.snapshot", showMission],
  ["list", listTerminals],
  ["monitors.is-corr-armed", isArmed],
  ["monitors.register-intent", registerIntent],
  ["peers", peers],
  ["ping", ping],
  ["pipeline.close", closePipeline],
  ["pipeline.create", createPipeline],
  ["pipeline.list", listPipelines],
  ["poll", pollHistory],
  ["publish", publishEvent],
  ["read", readHistory],
  ["readLog", readTerminalLog],
  ["rpc.call", callPeer],
  ["schema.get", showSchema],
  ["schema.list", listSchemas],
  ["send", sendText],
  ["show", showTerminal],
  ["subscribe", subscribe],
  ["task.assign", assignTask],
  ["task.cancel", cancelTask],
  ["task.complete", completeTask],
  ["task.list", listTasks],
  ["task.update", updateTask],
  ["terminal.screen", showScreen],
  ["token.create", createToken],
  ["token.list", listTokens],
  ["token.revoke", revokeToken],
  ["unsubscribe", unsubscribe],
  ["wave.complete", completeWave],
  ["wave.create", createWave],
  ["wave.status", showWave],
]);
