import { isObject } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import type { EntryMembers } from "./config-format.ts";
import { SERVER_NAME } from "./mcp-clients.ts";

export type Trial =
  | { readonly state: "works"; readonly tools: number; readonly error: null }
  | { readonly state: "fails"; readonly tools: null; readonly error: string };

const variablesOf = ({ env, environment }: EntryMembers): Record<string, unknown> => {
  const given = env ?? environment;
  return isObject(given) ? { ...given } : {};
};

/**
 * Starts the command of an entry as the client would, with the few variables that a client hands on, and lists the
 * tools of the server. The server has ended when this resolves.
 */
export async function tryEntry(argv: readonly string[], entry: EntryMembers, ports: Ports): Promise<Trial> {
  const { openMcpServers } = await import("../../../agent/index.ts");
  const [command, ...args] = argv;
  const config = { [SERVER_NAME]: { command, args, env: variablesOf(entry) } };
  const around = { cwd: ports.cwd, env: ports.env, version: ports.toolVersion, onProblem: () => undefined };
  const servers = await openMcpServers(config, around, ports.signal);
  const [server] = servers.servers;
  await servers.close();
  if (server?.status === "connected") return { state: "works", tools: server.toolCount, error: null };
  return { state: "fails", tools: null, error: server?.error ?? "the server was not started" };
}
