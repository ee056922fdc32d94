import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { readMcpConfig } from "./read-mcp-config.ts";

test("servers come from a file, named from the working folder, or from the text itself", () => {
  const cwd = temporaryFolder(onTestFinished);
  writeFileSync(join(cwd, "mcp.json"), '\uFEFF{"mcpServers":{"a":{"command":"x"}}}');
  const expected = { a: { command: "x" } };
  expect(readMcpConfig("mcp.json", cwd)).toEqual(expected);
  expect(readMcpConfig(join(cwd, "mcp.json"), "/")).toEqual(expected);
  expect(readMcpConfig(' {"mcpServers":{"a":{"command":"x"}}}', cwd)).toEqual(expected);
});

test("what cannot be read is refused without being shown", () => {
  const cwd = temporaryFolder(onTestFinished);
  mkdirSync(join(cwd, "folder"));
  writeFileSync(join(cwd, "broken.json"), "sk-secret");
  writeFileSync(join(cwd, "other.json"), '{"servers":{}}');
  const message = (value: string): string => {
    try {
      return JSON.stringify(readMcpConfig(value, cwd));
    } catch (error) {
      return error instanceof ClawError ? `${error.code} ${error.message.replaceAll(cwd, "")}` : "another error";
    }
  };
  expect(
    ["missing.json", "folder", "broken.json", "other.json", '{"mcpServers":[', '{"mcpServers":[]}', "a\0"].map(message),
  ).toEqual([
    "MCP_CONFIG_INVALID --mcp-config: there is no file /missing.json",
    "MCP_CONFIG_INVALID --mcp-config: /folder: it is no regular file",
    "MCP_CONFIG_INVALID --mcp-config: /broken.json is not JSON",
    "MCP_CONFIG_INVALID --mcp-config: it has no object mcpServers",
    "MCP_CONFIG_INVALID --mcp-config: it is not JSON",
    "MCP_CONFIG_INVALID --mcp-config: it has no object mcpServers",
    "MCP_CONFIG_INVALID --mcp-config: it is no path",
  ]);
});
