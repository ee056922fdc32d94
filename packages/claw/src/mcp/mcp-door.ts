import type { McpDoor } from "../verbs/index.ts";
import { MCP_CAPABILITIES, clawsFace } from "./claws/claws-face.ts";
import { greetedStreams } from "./stdio/greeted-streams.ts";

/** The MCP server as the verbs see it. Its heavy part is loaded when a client has been greeted. */
export const mcpDoor: McpDoor = {
  openHttp: async (...given) => (await import("./mcp-server.ts")).openHttp(...given),
  async serve(choices, ports) {
    const streams = { input: ports.stdin.chunks(), write: (bytes: Uint8Array) => ports.stage.write("stdout", bytes) };
    const face = { ...clawsFace(ports.toolVersion), capabilities: MCP_CAPABILITIES };
    const greeted = await greetedStreams(streams, face);
    return (await import("./mcp-server.ts")).serve(choices, ports, greeted);
  },
};
