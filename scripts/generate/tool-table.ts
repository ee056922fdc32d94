import type { ToolContract } from "claw-contract/schemas";
import { DEFAULT_TOOLS, toolInputSchema, toolOutputSchema } from "claw-contract/schemas";
import { parsedList } from "./parsed-data.ts";

/** A tool as `tools/list` shows it. */
const faceOf = ({ name, title, description, input, output, effect }: ToolContract) => ({
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

/** The default tools as plain data, so that they are listed without the schema library. */
export function toolTable(): Map<string, string> {
  const faces = Object.values(DEFAULT_TOOLS).map((tool) => faceOf(tool as ToolContract));
  const leads = Object.values(DEFAULT_TOOLS).flatMap(({ name, effect }) => (effect.leads === true ? [name] : []));
  const text = [
    "// Made by `npm run generate`. Edit the tool's contract instead.",
    'import type { ToolFace } from "../layer/tool.ts";',
    "",
    "/** The tools that only an orchestrator sees: they direct workers. */",
    `export const LEAD_TOOLS: ReadonlySet<string> = new Set(${JSON.stringify(leads)});`,
    "",
    "/** The tools that are listed by default, in their order. */",
    `export const DEFAULT_FACES = ${parsedList(faces)} as readonly ToolFace[];`,
    "",
  ];
  return new Map([["packages/claw/src/mcp/claws/tool-faces.generated.ts", text.join("\n")]]);
}
