import { LIMITS, cutChars } from "claw-contract";
import * as z from "zod";
import type { JsonObject, PermissionMode } from "claw-contract";
import type { AnyTool, ToolCall, ToolOutput } from "../tools/tool.ts";
import { defineTool } from "../tools/tool.ts";

/** A tool of an MCP server, as the server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly annotations?:
    | {
        readonly readOnlyHint?: boolean | undefined;
        readonly destructiveHint?: boolean | undefined;
        readonly openWorldHint?: boolean | undefined;
      }
    | undefined;
}

/** Calls the tool on the MCP server. */
export type CallTool = (input: JsonObject, call: ToolCall, signal: AbortSignal) => Promise<ToolOutput>;

export interface ForeignToolParts {
  /** Name by which models call the tool. */
  readonly name: string;
  readonly server: string;
  readonly listed: ListedTool;
  readonly run: CallTool;
}

/** The weakest permission mode that suffices for the tool, judged by the tool's annotations. */
function modeOf({ annotations }: ListedTool): PermissionMode {
  if (annotations?.readOnlyHint === true) return "read-only";
  const isWide = annotations?.destructiveHint === true || annotations?.openWorldHint === true;
  return isWide ? "danger-full-access" : "workspace-write";
}

/** Input fields that can describe a call. The first field with a text becomes the subject of the call. */
const SHOWN_ARGUMENTS = ["command", "path", "file_path", "url", "uri", "pattern", "query"];

function subjectOf(input: JsonObject): string {
  const field = SHOWN_ARGUMENTS.find((name) => typeof input[name] === "string");
  return field === undefined ? JSON.stringify(input) : String(input[field]);
}

function mainFieldOf({ inputSchema }: ListedTool): string {
  const { required, properties } = inputSchema;
  const [first] = Array.isArray(required) ? (required as unknown[]) : [];
  if (typeof first === "string") return first;
  const [name = "input"] = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return name;
}

const RESPONSIBILITY_CHARS = 200;

/** Wraps a tool of an MCP server as a tool of the agent. */
export function foreignTool({ name, server, listed, run }: ForeignToolParts): AnyTool {
  const said = (listed.description ?? "").trim();
  const [firstLine = ""] = said.split("\n");
  return defineTool<JsonObject>({
    name,
    aliases: [],
    responsibility: cutChars(
      firstLine === "" ? `Calls ${listed.name} of the server ${server}.` : firstLine,
      RESPONSIBILITY_CHARS,
    ),
    description: cutChars(said === "" ? `${listed.name} of the server ${server}.` : said, LIMITS.mcpDescriptionChars),
    sourceHint: "docs/agent.md#mcp-servers",
    input: z.record(z.string(), z.unknown()),
    inputSchema: { ...listed.inputSchema, type: "object" },
    mainField: mainFieldOf(listed),
    readOnly: listed.annotations?.readOnlyHint === true,
    need: () => ({ kind: "foreign", mode: modeOf(listed) }),
    subject: subjectOf,
    run,
  });
}
