import type { ToolContract } from "claw-contract/schemas";
import { DEFAULT_TOOLS, toolFace } from "claw-contract/schemas";
import { parsedList } from "./parsed-data.ts";

/** The default tools as plain data, so that they are listed without the schema library. */
export function toolTable(): Map<string, string> {
  const faces = Object.values(DEFAULT_TOOLS).map((tool) => toolFace(tool as ToolContract));
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
