// Made by `npm run generate`. Edit the request's contract instead.
import { ping } from "./about/ping.ts";
import { assignTask } from "./tasks/assign.ts";

/** Every request of the wire, by its `cmd`. */
export const REQUESTS = {
  "ping": ping,
  "task.assign": assignTask,
} as const;
