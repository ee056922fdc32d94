/** The MCP server: a face of the verbs. Only the mains of claw's programs import it. */
export { mcpDoor } from "./mcp-door.ts";
