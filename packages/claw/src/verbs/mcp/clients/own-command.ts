import { LIMITS } from "claw-contract";
import { findProgram, runCommand } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { McpClientName, McpScope, ServerLine } from "./mcp-clients.ts";
import { SERVER_NAME } from "./mcp-clients.ts";

const OUTPUT_BYTES = 64 * 1024;

/**
 * The client's own command for changing its file, where claw uses it: Claude Code keeps its own state in the file of
 * the user, and writes the file while it runs. The commands of other clients rewrite a file that people edit: they lose
 * comments and spaces.
 */
export function findOwnCommand(client: McpClientName, scope: McpScope, { cwd, env }: Ports): string | undefined {
  if (client !== "claude" || scope !== "user") return undefined;
  const found = findProgram("claude", { path: env["PATH"], cwd });
  return found.kind === "found" ? found.path : undefined;
}

/** Runs the client's command to its end. The caller reads the client's file to see whether the command changed it. */
async function run(argv: readonly [string, ...string[]], { cwd, env, signal }: Ports): Promise<void> {
  const limits = { timeoutMs: LIMITS.mcpClientCommandMs, maxOutputBytes: OUTPUT_BYTES };
  await runCommand({ argv, cwd, env, ...limits }, signal);
  signal.throwIfAborted();
}

export function addByClient(program: string, { argv, env }: ServerLine, ports: Ports): Promise<void> {
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return run([program, "mcp", "add", "--scope", "user", SERVER_NAME, ...variables, "--", ...argv], ports);
}

export const removeByClient = (program: string, ports: Ports): Promise<void> =>
  run([program, "mcp", "remove", "--scope", "user", SERVER_NAME], ports);
