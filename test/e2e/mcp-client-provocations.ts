import { mkdirSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { stateHome } from "../../packages/claw/src/files/index.ts";
import { putLock } from "./provocations.ts";
import type { Workspace } from "./workspace.ts";

const INSTALL = ["mcp", "install", "claude", "--scope", "project"];

/** The lock of a file of an MCP client. */
function lockOfClient({ home }: Workspace, path: string): string {
  const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(stateHome({ HOME: home }), "mcp-clients", `${name}-.mcp.json.lock`);
}

const put = ({ cwd }: Workspace, text: string): void => writeFileSync(join(cwd, ".mcp.json"), text);

/** Calls that fail over the files of MCP clients. */
export const MCP_CLIENT_PROVOCATIONS = {
  MCP_CLIENT_CONFIG_INVALID: {
    prepare: (workspace: Workspace) => {
      put(workspace, '{ "mcpServers": ');
      return { args: INSTALL };
    },
  },
  MCP_CLIENT_ENTRY_TAKEN: {
    prepare: (workspace: Workspace) => {
      put(workspace, '{ "mcpServers": { "claws": { "command": "mine" } } }');
      return { args: INSTALL };
    },
  },
  MCP_CLIENT_CONFIG_BUSY: {
    prepare: (workspace: Workspace) => {
      const lock = lockOfClient(workspace, join(workspace.cwd, ".mcp.json"));
      mkdirSync(join(lock, ".."), { recursive: true, mode: 0o700 });
      putLock(lock);
      return { args: INSTALL };
    },
  },
} as const;
