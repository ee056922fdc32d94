import * as z from "zod";
import type { AnyTool, Tool } from "./tool.ts";

export type ToolInput<I = never> =
  | { readonly kind: "input"; readonly input: I }
  /** `message` tells the model the problem. */
  | { readonly kind: "invalid"; readonly message: string };

/** Other names that models use for fields of the tools. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  file_path: "path",
  filepath: "path",
  filename: "path",
  cmd: "command",
  timeout_ms: "timeout",
};

const snake = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function fieldsOf({ input }: AnyTool): ReadonlySet<string> {
  return new Set(input instanceof z.ZodObject ? Object.keys(input.shape) : []);
}

function ownName(name: string, fields: ReadonlySet<string>): string {
  if (fields.has(name)) return name;
  const spellings = [snake(name), camel(name), OTHER_NAMES[snake(name)]];
  return spellings.find((spelling) => spelling !== undefined && fields.has(spelling)) ?? name;
}

/** Renames fields to the names of the schema. A field that had the schema's name wins over a renamed field. */
function renamed(value: object, tool: AnyTool): Record<string, unknown> {
  const fields = fieldsOf(tool);
  const entries = Object.entries(value).map(([name, field]) => [ownName(name, fields), field, name] as const);
  const own = entries.filter(([name, , given]) => name === given);
  return Object.fromEntries([...entries, ...own].map(([name, field]) => [name, field]));
}

const invalidInput = (message: string): ToolInput => ({ kind: "invalid", message });

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text === "" ? "{}" : text) as unknown };
  } catch {
    // Models write broken JSON at times; `readToolInput` tells the model.
    return null;
  }
}

function issueText({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.length === 0 ? "input" : path.join(".")}: ${message}`).join("; ");
}

/** Reads the JSON text of a call's input and checks it. */
export function readToolInput(tool: AnyTool, text: string): ToolInput {
  const parsed = parse(text);
  if (parsed === null) {
    return invalidInput(`the input of ${tool.name} is no valid JSON; call it again with a JSON object`);
  }
  return checkToolInput(tool, parsed.value);
}

/** Checks the input of a call that was read already. */
export function checkToolInput(tool: AnyTool, value: unknown): ToolInput {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalidInput(`the input of ${tool.name} has to be a JSON object`);
  }
  const { input } = tool as unknown as Tool<unknown>;
  const result = input.safeParse(renamed(value, tool));
  if (result.success) return { kind: "input", input: result.data as never };
  return invalidInput(`the input of ${tool.name} does not fit: ${issueText(result.error)}`);
}
