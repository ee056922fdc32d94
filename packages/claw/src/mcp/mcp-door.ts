import type { McpDoor } from "../verbs/index.ts";
import { clawsTables } from "./claws/claws-tables.ts";
import { createToolHost } from "./claws/tool-host.ts";
import { tasksWire } from "./layer/tasks/tasks-wire.ts";
import { serveStreams } from "./stdio/serve-stdio.ts";

/** The MCP server as the verbs see it. */
export const mcpDoor: McpDoor = {
  async serve(choices, ports) {
    const host = createToolHost(choices, ports);
    try {
      return await serveStreams({
        tables: clawsTables(host, ports),
        caller: host.caller,
        wrap: (wire) => tasksWire(wire, host.tasks, host.caller),
        streams: { input: ports.stdin.chunks(), write: (bytes) => ports.stage.write("stdout", bytes) },
      });
    } finally {
      await host.close();
    }
  },
};
