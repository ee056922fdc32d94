import { describeTool, isOfServer } from "./find-tool.ts";
import { handle } from "../../runtime/handle.ts";
import { plural, table } from "../../text/text-layout.ts";

/** The least an agent can work with. */
const SIMPLE: ReadonlySet<string> = new Set(["bash", "edit_file", "read_file"]);

export const handler = handle("tool-pool", {
  run: async ({ simpleMode, noMcp }, ports) => {
    const { openWorkspaceToolbox } = await import("../open-agent.ts");
    const toolbox = await openWorkspaceToolbox(ports, { mode: "read-only", mcp: !noMcp && !simpleMode });
    try {
      const tools = toolbox.tools
        .filter(({ name }) => (!simpleMode || SIMPLE.has(name)) && !(noMcp && isOfServer(name)))
        .map(describeTool);
      return { simple_mode: simpleMode, include_mcp: !noMcp && !simpleMode, tool_count: tools.length, tools };
    } finally {
      await toolbox.close();
    }
  },
  show: ({ tools, tool_count }, paint) => {
    const rows = tools.map((tool) => [tool.name, tool.required_permission, tool.responsibility]);
    return `${table(["TOOL", "PERMISSION", "DOES"], rows, paint)}\n${paint.dim(plural(tool_count, "tool"))}`;
  },
});
