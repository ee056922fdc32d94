// Made by `npm run generate`. Edit the verb's contract instead.
import { completion } from "./completion.ts";
import { config } from "./config.ts";
import { deleteSession } from "./delete-session.ts";
import { doctor } from "./doctor.ts";
import { exportSession } from "./export.ts";
import { flushTranscript } from "./flush-transcript.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { listSessions } from "./list-sessions.ts";
import { loadSession } from "./load-session.ts";
import { manifest } from "./manifest.ts";
import { schema } from "./schema.ts";
import { status } from "./status.ts";
import { version } from "./version.ts";

/** Every verb, by name. */
export const VERBS = {
  "completion": completion,
  "config": config,
  "delete-session": deleteSession,
  "doctor": doctor,
  "export": exportSession,
  "flush-transcript": flushTranscript,
  "help": help,
  "init": init,
  "list-sessions": listSessions,
  "load-session": loadSession,
  "manifest": manifest,
  "schema": schema,
  "status": status,
  "version": version,
} as const;
