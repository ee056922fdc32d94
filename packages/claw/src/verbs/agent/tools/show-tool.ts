import { describeTool, isOfServer, requireTool } from "./find-tool.ts";
import { handle } from "../../runtime/handle.ts";
import { pairs } from "../../text/text-layout.ts";

export const handler = handle("show-tool", {
  run: async ({ name }, ports) => {
    const agent = await import("../open-agent.ts");
    const toolbox = await agent.openWorkspaceToolbox(ports, { mode: "read-only", mcp: isOfServer(name) });
    try {
      const tool = requireTool(toolbox.tools, name);
      return {
        ...describeTool(tool),
        name,
        canonical_name: tool.name,
        found: true,
        description: tool.description,
        main_field: tool.mainField,
        input_schema: { ...agent.offerOf(tool).inputSchema },
      };
    } finally {
      await toolbox.close();
    }
  },
  show: (tool, paint) =>
    pairs(
      [
        ["tool", paint.bold(tool.canonical_name)],
        ["does", tool.responsibility],
        ["aliases", tool.aliases.join(", ")],
        ["needs", tool.required_permission],
        ["takes", Object.keys(tool.input_schema["properties"] ?? {}).join(", ")],
        ["source", tool.source_hint],
      ],
      paint,
    ),
});
