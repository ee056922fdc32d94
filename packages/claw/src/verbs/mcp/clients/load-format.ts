import type { ConfigFormat } from "./config-format.ts";
import type { McpClient } from "./mcp-clients.ts";

/** Loads the parser of a client's file, which only the verbs of `mcp` need. */
export const loadFormat = async ({ format }: McpClient): Promise<ConfigFormat> =>
  format === "toml" ? (await import("./toml-format.ts")).tomlFormat : (await import("./json-format.ts")).jsonFormat;
