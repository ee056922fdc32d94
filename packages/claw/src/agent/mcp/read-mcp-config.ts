import { resolve } from "node:path";
import { ClawError, isObject, LIMITS, parseJson } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";

function configError(why: string, target: string): ClawError {
  return new ClawError("MCP_CONFIG_INVALID", `--mcp-config: ${why}`, {
    operation: "read_mcp_config",
    target,
    hint: 'Give a file, or JSON of the form {"mcpServers": {"name": {"command": "…"}}}.',
  });
}

function readText(value: string, cwd: string): { readonly text: string; readonly target: string } {
  if (value.trimStart().startsWith("{")) return { text: value, target: "--mcp-config" };
  if (value.includes("\0")) throw configError("it is no path", "--mcp-config");
  const path = resolve(cwd, value);
  const file = readSmallFile(path, LIMITS.mcpConfigBytes);
  if (file.kind === "absent") throw configError(`there is no file ${path}`, path);
  if (file.kind === "unusable") throw configError(`${path}: ${file.why}`, path);
  return { text: file.text.replace(/^\uFEFF/, ""), target: path };
}

/** The servers that `--mcp-config` names: a file, or the JSON itself. Throws MCP_CONFIG_INVALID, which shows no value. */
export function readMcpConfig(value: string, cwd: string): Readonly<Record<string, unknown>> {
  const { text, target } = readText(value, cwd);
  const config = parseJson(text);
  if (config === undefined) {
    throw configError(target === "--mcp-config" ? "it is not JSON" : `${target} is not JSON`, target);
  }
  const servers = isObject(config) ? config["mcpServers"] : undefined;
  if (!isObject(servers)) throw configError("it has no object mcpServers", target);
  return servers;
}
