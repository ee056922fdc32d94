import type { McpServer } from "@modelcontextprotocol/server";

export function makeServer(): McpServer;
