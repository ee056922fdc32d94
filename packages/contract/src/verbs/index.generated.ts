// Made by `npm run generate`. Edit the verb's contract instead.
import { completion } from "./completion.ts";
import { config } from "./config.ts";
import { deleteSession } from "./delete-session.ts";
import { doctor } from "./doctor.ts";
import { down } from "./down.ts";
import { events } from "./events.ts";
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
import { publish } from "./publish.ts";
import { run } from "./run.ts";
import { schema } from "./schema.ts";
import { status } from "./status.ts";
import { streamEvents } from "./stream-events.ts";
import { tasks } from "./tasks.ts";
import { up } from "./up.ts";
import { version } from "./version.ts";
import { wait } from "./wait.ts";

/** Every verb, by name. */
export const VERBS = {
  "completion": completion,
  "config": config,
  "delete-session": deleteSession,
  "doctor": doctor,
  "down": down,
  "events": events,
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
  "publish": publish,
  "run": run,
  "schema": schema,
  "status": status,
  "stream-events": streamEvents,
  "tasks": tasks,
  "up": up,
  "version": version,
  "wait": wait,
} as const;
