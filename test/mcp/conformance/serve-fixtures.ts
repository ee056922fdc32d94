import { createHttpTransport } from "../../../packages/claw/src/bus/index.ts";
import { createHttpFace } from "../../../packages/claw/src/mcp/http/http-face.ts";
import { listenTasks } from "../../../packages/claw/src/mcp/layer/tasks/listen-tasks.ts";
import type { McpTables } from "../../../packages/claw/src/mcp/layer/mcp-tables.ts";
import { FIXTURE_TASKS } from "./task-tools.ts";

/** The suite can show no token: each of its requests counts as one with this grant. */
const GRANT = {
  id: "suite",
  role: "orchestrator",
  peer: undefined,
  expiresAt: Infinity,
  once: false,
  issued: false,
  browser: false,
} as const;

export interface FixtureServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves tables by claw's own listener and MCP server, on a free port of the loopback. */
export async function serveFixtures(tables: McpTables): Promise<FixtureServer> {
  const face = createHttpFace({
    open: () =>
      Promise.resolve({
        caller: { id: GRANT.id, role: GRANT.role },
        tables: { default: tables, all: tables },
        followTasks: (listening, send) => listenTasks(FIXTURE_TASKS, listening, send),
        gone: new Promise<void>(() => undefined),
        close: () => Promise.resolve(),
      }),
  });
  const transport = createHttpTransport({
    host: "127.0.0.1",
    port: 0,
    mounts: [{ path: "/mcp", readToken: () => ({ kind: "granted", grant: GRANT }), serve: face.serve }],
  });
  await transport.listen(() => {
    throw new Error("no client of the bus comes here");
  });
  return {
    url: `${transport.address().url}/mcp`,
    close: async () => {
      await face.close();
      await transport.close();
    },
  };
}
