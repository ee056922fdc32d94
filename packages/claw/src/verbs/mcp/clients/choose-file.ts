import { lstatSync } from "node:fs";
import type { Ports } from "../../runtime/handle.ts";
import type { McpClient, McpScope } from "./mcp-clients.ts";

/** The file of a client that exists; the last of its files when none does. */
export function chooseFile(client: McpClient, scope: McpScope, { cwd, env }: Pick<Ports, "cwd" | "env">): string {
  const files = client.files(scope, { cwd, env, platform: process.platform });
  const found = files.find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  return found ?? files.at(-1) ?? "";
}
