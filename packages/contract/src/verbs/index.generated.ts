// Made by `npm run generate`. Edit the verb's contract instead.
import { bootstrapGraph } from "./bootstrap-graph.ts";
import { bootstrap } from "./bootstrap.ts";
import { chat } from "./chat.ts";
import { commandGraph } from "./command-graph.ts";
import { completion } from "./completion.ts";
import { config } from "./config.ts";
import { deleteSession } from "./delete-session.ts";
import { doctor } from "./doctor.ts";
import { down } from "./down.ts";
import { events } from "./events.ts";
import { execCommand } from "./exec-command.ts";
import { execTool } from "./exec-tool.ts";
import { exportSession } from "./export.ts";
import { fakeAgent } from "./fake-agent.ts";
import { flushTranscript } from "./flush-transcript.ts";
import { harnesses } from "./harnesses.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { listSessions } from "./list-sessions.ts";
import { loadSession } from "./load-session.ts";
import { manifest } from "./manifest.ts";
import { parseStream } from "./parse-stream.ts";
import { peers } from "./peers.ts";
import { prompt } from "./prompt.ts";
import { publish } from "./publish.ts";
import { route } from "./route.ts";
import { run } from "./run.ts";
import { schema } from "./schema.ts";
import { showCommand } from "./show-command.ts";
import { showTool } from "./show-tool.ts";
import { status } from "./status.ts";
import { streamEvents } from "./stream-events.ts";
import { tasks } from "./tasks.ts";
import { toolPool } from "./tool-pool.ts";
import { turnLoop } from "./turn-loop.ts";
import { up } from "./up.ts";
import { version } from "./version.ts";
import { wait } from "./wait.ts";

/** Every verb, by name. */
export const VERBS = {
  "bootstrap-graph": bootstrapGraph,
  "bootstrap": bootstrap,
  "chat": chat,
  "command-graph": commandGraph,
  "completion": completion,
  "config": config,
  "delete-session": deleteSession,
  "doctor": doctor,
  "down": down,
  "events": events,
  "exec-command": execCommand,
  "exec-tool": execTool,
  "export": exportSession,
  "fake-agent": fakeAgent,
  "flush-transcript": flushTranscript,
  "harnesses": harnesses,
  "help": help,
  "init": init,
  "list-sessions": listSessions,
  "load-session": loadSession,
  "manifest": manifest,
  "parse-stream": parseStream,
  "peers": peers,
  "prompt": prompt,
  "publish": publish,
  "route": route,
  "run": run,
  "schema": schema,
  "show-command": showCommand,
  "show-tool": showTool,
  "status": status,
  "stream-events": streamEvents,
  "tasks": tasks,
  "tool-pool": toolPool,
  "turn-loop": turnLoop,
  "up": up,
  "version": version,
  "wait": wait,
} as const;
