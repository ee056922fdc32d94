import * as z from "zod";
import { LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import { createJudgedPaths } from "./judged-paths.ts";
import type { SeenFiles } from "./seen-files.ts";
import { readTextFile } from "./text-file.ts";
import { toolAnswer, attempt } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

const Input = z.object({
  path: z.string().min(1).describe("File to read, absolute or from the workspace."),
  offset: z.number().int().min(0).optional().describe("How many lines to skip."),
  limit: z.number().int().min(1).optional().describe(`How many lines to read; ${LIMITS.readLines} at most.`),
});

interface Page {
  readonly content: string;
  readonly numLines: number;
  readonly startLine: number;
  readonly totalLines: number;
}

function cutLine(line: string): string {
  return line.length <= LIMITS.readLineChars
    ? line
    : `${line.slice(0, LIMITS.readLineChars)}… [${line.length - LIMITS.readLineChars} characters more]`;
}

/** Lines of a text from a place on, as many as an answer may hold. */
export function pageOf(text: string, offset: number, limit: number): Page {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(offset, offset + Math.min(limit, LIMITS.readLines))) {
    const cut = cutLine(line);
    size += cut.length + 1;
    if (size > LIMITS.toolOutputBytes * 2 && shown.length > 0) break;
    shown.push(cut);
  }
  return { content: shown.join("\n"), numLines: shown.length, startLine: offset + 1, totalLines: lines.length };
}

/** Reads text files. */
export function createReadFile(deps: ToolDeps, seen: SeenFiles): AnyTool {
  const paths = createJudgedPaths(deps, "read");
  return defineTool<z.infer<typeof Input>>({
    name: "read_file",
    aliases: TOOL_ALIASES.read_file,
    responsibility: "Reads a text file, or some of its lines.",
    description:
      "Reads a text file. The answer says how many lines the file has; read on with offset. Long lines are cut. Binary files and files above 10 MB are refused.",
    sourceHint: "docs/agent/tools.md#read_file",
    input: Input,
    mainField: "path",
    readOnly: true,
    need: (input) => ({ kind: "read", paths: [paths.judge(input, input.path)] }),
    subject: ({ path }) => path,
    run: (input, _call, signal) =>
      attempt(signal, () => {
        const filePath = paths.judged(input, input.path);
        const text = readTextFile(filePath);
        seen.saw(filePath, text);
        return toolAnswer({
          type: "text",
          file: { filePath, ...pageOf(text, input.offset ?? 0, input.limit ?? LIMITS.readLines) },
        });
      }),
  });
}
