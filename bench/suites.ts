import { agent } from "./agent.ts";
import { bus } from "./bus.ts";
import { cluster } from "./cluster.ts";
import { coldStart } from "./cold-start.ts";
import { growth } from "./growth.ts";
import { harness } from "./harness.ts";
import { listSessions } from "./list-sessions.ts";
import { page } from "./page.ts";
import { mcp } from "./mcp.ts";
import { schemas } from "./schemas.ts";
import { terminals } from "./terminals.ts";
import { workers } from "./workers.ts";
import type { Suite } from "./suite.ts";

export const SUITES: Readonly<Record<string, Suite>> = {
  "cold-start": coldStart,
  sessions: listSessions,
  bus,
  harness,
  agent,
  workers,
  terminals,
  page,
  schemas,
  growth,
  mcp,
  cluster,
};
