import { ClawError } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { chooseFile } from "./choose-file.ts";
import { readConfigFile } from "./config-file.ts";
import type { EntryMembers } from "./config-format.ts";
import { loadFormat } from "./load-format.ts";
import type { McpClientName, McpScope } from "./mcp-clients.ts";
import { MCP_CLIENT_TABLE } from "./mcp-clients.ts";
import { isClawServer } from "./server-line.ts";

/** A file of a client that may have the entry. */
export interface EntryPlace {
  readonly client: McpClientName;
  readonly scope: McpScope;
  readonly path: string;
}

const NAMES = Object.keys(MCP_CLIENT_TABLE) as McpClientName[];
const SCOPES = ["user", "project"] as const;

/** The files of all clients, whether they exist or not. */
export const entryPlaces = (ports: Ports): EntryPlace[] =>
  NAMES.flatMap((client) =>
    SCOPES.map((scope) => ({ client, scope, path: chooseFile(MCP_CLIENT_TABLE[client], scope, ports) })),
  );

/** The entry of a file, claw's or not; undefined when there is none. Throws for a file that cannot be read. */
export async function readEntry({ client, scope, path }: EntryPlace, ports: Ports): Promise<EntryMembers | undefined> {
  const { bytes, text } = readConfigFile(path, scope, ports.cwd);
  if (bytes === undefined) return undefined;
  const format = await loadFormat(MCP_CLIENT_TABLE[client]);
  return format.read({ path, text }, MCP_CLIENT_TABLE[client].place);
}

/** The commands that remove claw's entries from all files that can be read. */
export async function removalCommands(ports: Ports): Promise<string[]> {
  const commands: string[] = [];
  for (const place of entryPlaces(ports)) {
    try {
      const entry = await readEntry(place, ports);
      const isOurs = entry !== undefined && isClawServer(MCP_CLIENT_TABLE[place.client].argvOf(entry));
      const scope = place.scope === "user" ? "" : " --scope project";
      if (isOurs) commands.push(`claw mcp uninstall ${place.client}${scope}`);
    } catch (error) {
      // A file that claw cannot read is no file that claw has written.
      if (!(error instanceof ClawError)) throw error;
    }
  }
  return commands;
}
