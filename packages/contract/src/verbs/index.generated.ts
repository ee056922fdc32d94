// Made by `npm run generate`. Edit the verb's contract instead.
import { abort } from "./abort.ts";
import { accept } from "./accept.ts";
import { approvals } from "./approvals.ts";
import { approve } from "./approve.ts";
import { attach } from "./attach.ts";
import { bootstrapGraph } from "./bootstrap-graph.ts";
import { bootstrap } from "./bootstrap.ts";
import { broadcast } from "./broadcast.ts";
import { chat } from "./chat.ts";
import { commandGraph } from "./command-graph.ts";
import { completion } from "./completion.ts";
import { config } from "./config.ts";
import { deleteSession } from "./delete-session.ts";
import { demo } from "./demo.ts";
import { diff } from "./diff.ts";
import { doctor } from "./doctor.ts";
import { down } from "./down.ts";
import { events } from "./events.ts";
import { execCommand } from "./exec-command.ts";
import { execTool } from "./exec-tool.ts";
import { exportSession } from "./export.ts";
import { fakeAgent } from "./fake-agent.ts";
import { fleet } from "./fleet.ts";
import { flushTranscript } from "./flush-transcript.ts";
import { harnesses } from "./harnesses.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { advanceMission } from "./lifecycle/advance.ts";
import { planMission } from "./lifecycle/plan.ts";
import { reflectOnMission } from "./lifecycle/reflect.ts";
import { showMission } from "./lifecycle/show.ts";
import { listSessions } from "./list-sessions.ts";
import { loadSession } from "./load-session.ts";
import { logs } from "./logs.ts";
import { manifest } from "./manifest.ts";
import { merge } from "./merge.ts";
import { parseStream } from "./parse-stream.ts";
import { pause } from "./pause.ts";
import { peers } from "./peers.ts";
import { closePipeline } from "./pipeline/close.ts";
import { createPipeline } from "./pipeline/create.ts";
import { listPipelines } from "./pipeline/list.ts";
import { prompt } from "./prompt.ts";
import { prune } from "./prune.ts";
import { ps } from "./ps.ts";
import { publish } from "./publish.ts";
import { reject } from "./reject.ts";
import { restart } from "./restart.ts";
import { resume } from "./resume.ts";
import { rework } from "./rework.ts";
import { rm } from "./rm.ts";
import { route } from "./route.ts";
import { callPeer } from "./rpc/call.ts";
import { run } from "./run.ts";
import { schema } from "./schema.ts";
import { send } from "./send.ts";
import { showCommand } from "./show-command.ts";
import { showTool } from "./show-tool.ts";
import { spawn } from "./spawn.ts";
import { status } from "./status.ts";
import { streamEvents } from "./stream-events.ts";
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
import { toolPool } from "./tool-pool.ts";
import { turnLoop } from "./turn-loop.ts";
import { up } from "./up.ts";
import { version } from "./version.ts";
import { wait } from "./wait.ts";
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
  "bootstrap-graph": bootstrapGraph,
  "bootstrap": bootstrap,
  "broadcast": broadcast,
  "chat": chat,
  "command-graph": commandGraph,
  "completion": completion,
  "config": config,
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
  "manifest": manifest,
  "merge": merge,
  "parse-stream": parseStream,
  "pause": pause,
  "peers": peers,
  "pipeline close": closePipeline,
  "pipeline create": createPipeline,
  "pipeline list": listPipelines,
  "prompt": prompt,
  "prune": prune,
  "ps": ps,
  "publish": publish,
  "reject": reject,
  "restart": restart,
  "resume": resume,
  "rework": rework,
  "rm": rm,
  "route": route,
  "rpc call": callPeer,
  "run": run,
  "schema": schema,
  "send": send,
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
  "turn-loop": turnLoop,
  "up": up,
  "version": version,
  "wait": wait,
  "wave complete": completeWave,
  "wave create": createWave,
  "wave status": showWave,
} as const;
