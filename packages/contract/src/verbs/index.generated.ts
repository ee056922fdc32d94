// Made by `npm run generate`. Edit the verb's contract instead.
import { abort } from "./workers/commands/abort.ts";
import { accept } from "./workers/accept.ts";
import { approvals } from "./workers/approvals.ts";
import { approve } from "./workers/approve.ts";
import { attach } from "./workers/attach.ts";
import { backup } from "./upkeep/backup.ts";
import { bootstrap } from "./agent/bootstrap.ts";
import { bootstrapGraph } from "./agent/bootstrap-graph.ts";
import { broadcast } from "./bus/broadcast.ts";
import { busMigrate } from "./bus/migrate.ts";
import { chat } from "./agent/chat.ts";
import { clusterCredentials } from "./bus/cluster-credentials.ts";
import { commandGraph } from "./agent/command-graph.ts";
import { completion } from "./about/completion.ts";
import { config } from "./about/config.ts";
import { dashboard } from "./bus/dashboard.ts";
import { deleteSession } from "./sessions/delete-session.ts";
import { demo } from "./workers/demo.ts";
import { diff } from "./workers/diff.ts";
import { doctor } from "./about/doctor.ts";
import { down } from "./bus/down.ts";
import { events } from "./bus/events.ts";
import { execCommand } from "./agent/exec-command.ts";
import { execTool } from "./agent/exec-tool.ts";
import { exportSession } from "./sessions/export.ts";
import { fakeAgent } from "./runs/fake-agent.ts";
import { fleet } from "./workers/fleet.ts";
import { flushTranscript } from "./sessions/flush-transcript.ts";
import { harnesses } from "./about/harnesses.ts";
import { help } from "./about/help.ts";
import { init } from "./about/init.ts";
import { advanceMission } from "./lifecycle/advance.ts";
import { planMission } from "./lifecycle/plan.ts";
import { reflectOnMission } from "./lifecycle/reflect.ts";
import { showMission } from "./lifecycle/show.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { loadSession } from "./sessions/load-session.ts";
import { logs } from "./workers/logs.ts";
import { machines } from "./bus/machines.ts";
import { manifest } from "./about/manifest.ts";
import { installMcp } from "./mcp/install.ts";
import { serveMcp } from "./mcp/serve.ts";
import { mcpStatus } from "./mcp/status.ts";
import { uninstallMcp } from "./mcp/uninstall.ts";
import { merge } from "./workers/merge.ts";
import { notifyTest } from "./notify/test.ts";
import { parseStream } from "./runs/parse-stream.ts";
import { pause } from "./workers/commands/pause.ts";
import { peers } from "./bus/peers.ts";
import { closePipeline } from "./pipeline/close.ts";
import { createPipeline } from "./pipeline/create.ts";
import { listPipelines } from "./pipeline/list.ts";
import { prompt } from "./agent/prompt.ts";
import { prune } from "./workers/prune.ts";
import { ps } from "./workers/ps.ts";
import { publishVerb } from "./bus/publish.ts";
import { reject } from "./workers/reject.ts";
import { restart } from "./workers/restart.ts";
import { restore } from "./upkeep/restore.ts";
import { resume } from "./workers/commands/resume.ts";
import { rework } from "./workers/rework.ts";
import { rm } from "./workers/rm.ts";
import { route } from "./agent/route.ts";
import { callPeer } from "./rpc/call.ts";
import { run } from "./runs/run.ts";
import { schema } from "./about/schema.ts";
import { send } from "./workers/commands/send.ts";
import { installService } from "./service/install.ts";
import { serviceStatus } from "./service/status.ts";
import { uninstallService } from "./service/uninstall.ts";
import { showCommand } from "./agent/show-command.ts";
import { showTool } from "./agent/show-tool.ts";
import { spawn } from "./workers/spawn.ts";
import { status } from "./about/status.ts";
import { streamEvents } from "./bus/stream-events.ts";
import { assignTask } from "./tasks/assign.ts";
import { cancelTask } from "./tasks/cancel.ts";
import { completeTask } from "./tasks/complete.ts";
import { listTasks } from "./tasks/list.ts";
import { updateTask } from "./tasks/update.ts";
import { closeTerminal } from "./terminal/close.ts";
import { createTerminal } from "./terminal/create.ts";
import { execInTerminal } from "./terminal/exec.ts";
import { listTerminals } from "./terminal/list.ts";
import { createToken } from "./tokens/create.ts";
import { listTokens } from "./tokens/list.ts";
import { revokeToken } from "./tokens/revoke.ts";
import { toolPool } from "./agent/tool-pool.ts";
import { top } from "./workers/top.ts";
import { turnLoop } from "./agent/turn-loop.ts";
import { uninstall } from "./upkeep/uninstall.ts";
import { up } from "./bus/up.ts";
import { version } from "./about/version.ts";
import { wait } from "./workers/wait.ts";
import { completeWave } from "./wave/complete.ts";
import { createWave } from "./wave/create.ts";
import { showWave } from "./wave/status.ts";

/** Every verb, by name. */
export const VERBS = {
  "abort": abort,
  "accept": accept,
  "approvals": approvals,
  "approve": approve,
  "attach": attach,
  "backup": backup,
  "bootstrap": bootstrap,
  "bootstrap-graph": bootstrapGraph,
  "broadcast": broadcast,
  "bus migrate": busMigrate,
  "chat": chat,
  "cluster-credentials": clusterCredentials,
  "command-graph": commandGraph,
  "completion": completion,
  "config": config,
  "dashboard": dashboard,
  "delete-session": deleteSession,
  "demo": demo,
  "diff": diff,
  "doctor": doctor,
  "down": down,
  "events": events,
  "exec-command": execCommand,
  "exec-tool": execTool,
  "export": exportSession,
  "fake-agent": fakeAgent,
  "fleet": fleet,
  "flush-transcript": flushTranscript,
  "harnesses": harnesses,
  "help": help,
  "init": init,
  "lifecycle advance": advanceMission,
  "lifecycle plan": planMission,
  "lifecycle reflect": reflectOnMission,
  "lifecycle show": showMission,
  "list-sessions": listSessions,
  "load-session": loadSession,
  "logs": logs,
  "machines": machines,
  "manifest": manifest,
  "mcp install": installMcp,
  "mcp serve": serveMcp,
  "mcp status": mcpStatus,
  "mcp uninstall": uninstallMcp,
  "merge": merge,
  "notify test": notifyTest,
  "parse-stream": parseStream,
  "pause": pause,
  "peers": peers,
  "pipeline close": closePipeline,
  "pipeline create": createPipeline,
  "pipeline list": listPipelines,
  "prompt": prompt,
  "prune": prune,
  "ps": ps,
  "publish": publishVerb,
  "reject": reject,
  "restart": restart,
  "restore": restore,
  "resume": resume,
  "rework": rework,
  "rm": rm,
  "route": route,
  "rpc call": callPeer,
  "run": run,
  "schema": schema,
  "send": send,
  "service install": installService,
  "service status": serviceStatus,
  "service uninstall": uninstallService,
  "show-command": showCommand,
  "show-tool": showTool,
  "spawn": spawn,
  "status": status,
  "stream-events": streamEvents,
  "tasks assign": assignTask,
  "tasks cancel": cancelTask,
  "tasks complete": completeTask,
  "tasks list": listTasks,
  "tasks update": updateTask,
  "terminal close": closeTerminal,
  "terminal create": createTerminal,
  "terminal exec": execInTerminal,
  "terminal list": listTerminals,
  "tokens create": createToken,
  "tokens list": listTokens,
  "tokens revoke": revokeToken,
  "tool-pool": toolPool,
  "top": top,
  "turn-loop": turnLoop,
  "uninstall": uninstall,
  "up": up,
  "version": version,
  "wait": wait,
  "wave complete": completeWave,
  "wave create": createWave,
  "wave status": showWave,
} as const;
