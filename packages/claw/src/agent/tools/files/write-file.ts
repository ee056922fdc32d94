import * as z from "zod";
import { ClawError, LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import { hunksOf, previewOf, REPEATED_CHARS } from "./file-change.ts";
import { createJudgedPaths } from "./judged-paths.ts";
import type { SeenFiles } from "./seen-files.ts";
import { readTextFileIfAny, writeTextFile } from "./text-file.ts";
import { toolAnswer, attempt, excerpt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

const Input = z.object({
  path: z.string().min(1).describe("File to write, absolute or from the workspace. Folders are made as needed."),
  content: z.string().describe("The whole text of the file."),
});

/** The text of a file before it is replaced; null when there is no file, or no text that can be shown. */
function textBefore(path: string): string | null {
  try {
    return readTextFileIfAny(path);
  } catch (error) {
    // A binary file may be replaced, but not shown.
    if (error instanceof ClawError && error.code === "FILESYSTEM_ERROR") return null;
    throw error;
  }
}

/** Writes whole files. */
export function createWriteFile(deps: ToolDeps, seen: SeenFiles): AnyTool {
  const paths = createJudgedPaths(deps, "write");
  return defineTool<z.infer<typeof Input>>({
    name: "write_file",
    aliases: TOOL_ALIASES.write_file,
    responsibility: "Writes a whole file, new or in place of another.",
    description:
      "Writes a whole file at once. Prefer edit_file to change a part of one. A file that was read and has changed since is not written over.",
    sourceHint: "docs/agent/tools.md#write_file",
    input: Input,
    mainField: "path",
    readOnly: false,
    need: (input) => ({ kind: "write", paths: [paths.judge(input, input.path)] }),
    subject: ({ path }) => path,
    preview: async (input) => {
      const path = paths.judged(input, input.path);
      return previewOf({ path, before: textBefore(path), after: input.content });
    },
    run: (input, _call, signal) =>
      attempt(signal, () => {
        const path = paths.judged(input, input.path);
        if (Buffer.byteLength(input.content) > LIMITS.toolFileBytes) {
          return refuseCall("the content is too large for a file");
        }
        const before = textBefore(path);
        if (before !== null && seen.isStale(path, before)) {
          return refuseCall(`${path} has changed since it was read; read it again`);
        }
        writeTextFile(path, input.content);
        seen.saw(path, input.content);
        return toolAnswer({
          type: before === null ? "create" : "update",
          filePath: path,
          content: excerpt(input.content, REPEATED_CHARS),
          structuredPatch: before === null ? [] : hunksOf({ path, before, after: input.content }),
          originalFile: before === null ? null : excerpt(before, REPEATED_CHARS),
          gitDiff: null,
        });
      }),
  });
}
