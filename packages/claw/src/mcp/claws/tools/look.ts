import type { ToolHandler } from "../claws-tool.ts";
import { outcomeData } from "./outcome-data.ts";

export const waitTool: ToolHandler<"claws_wait"> = async (input, { ports }) => ({
  data: await outcomeData(input, ports),
});
