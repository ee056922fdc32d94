// Made by `npm run generate`. Edit the verb's contract instead.
import type { HandlerLoaders } from "./handle.ts";

/** Handlers are loaded when their verb is called. */
export const HANDLERS: HandlerLoaders = {
  "completion": async () => (await import("./completion.ts")).handler,
  "config": async () => (await import("./config.ts")).handler,
  "delete-session": async () => (await import("./delete-session.ts")).handler,
  "doctor": async () => (await import("./doctor.ts")).handler,
  "down": async () => (await import("./down.ts")).handler,
  "events": async () => (await import("./events.ts")).handler,
  "export": async () => (await import("./export.ts")).handler,
  "fake-agent": async () => (await import("./fake-agent.ts")).handler,
  "flush-transcript": async () => (await import("./flush-transcript.ts")).handler,
  "harnesses": async () => (await import("./harnesses.ts")).handler,
  "help": async () => (await import("./help.ts")).handler,
  "init": async () => (await import("./init.ts")).handler,
  "list-sessions": async () => (await import("./list-sessions.ts")).handler,
  "load-session": async () => (await import("./load-session.ts")).handler,
  "manifest": async () => (await import("./manifest.ts")).handler,
  "parse-stream": async () => (await import("./parse-stream.ts")).handler,
  "peers": async () => (await import("./peers.ts")).handler,
  "publish": async () => (await import("./publish.ts")).handler,
  "run": async () => (await import("./run.ts")).handler,
  "schema": async () => (await import("./schema.ts")).handler,
  "status": async () => (await import("./status.ts")).handler,
  "stream-events": async () => (await import("./stream-events.ts")).handler,
  "tasks": async () => (await import("./tasks.ts")).handler,
  "up": async () => (await import("./up.ts")).handler,
  "version": async () => (await import("./version.ts")).handler,
  "wait": async () => (await import("./wait.ts")).handler,
};
