import type { ToolContract } from "./define-tool.ts";
import { toolInputSchema, toolOutputSchema } from "./tool-schemas.ts";

/** A tool as `tools/list` shows it. */
export const toolFace = ({ name, title, description, input, output, effect }: ToolContract) => ({
  name,
  title,
  description,
  inputSchema: toolInputSchema(input),
  outputSchema: toolOutputSchema(output),
  annotations: {
    readOnlyHint: effect.reads === true,
    destructiveHint: effect.destroys === true,
    idempotentHint: effect.repeatable === true,
    openWorldHint: false,
  },
});
