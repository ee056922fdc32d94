import * as z from "zod";
import { LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import type { FileChange } from "./file-change.ts";
import { hunksOf, previewOf, REPEATED_CHARS } from "./file-change.ts";
import { createJudgedPaths } from "./judged-paths.ts";
import { replaceText } from "./replace-text.ts";
import type { SeenFiles } from "./seen-files.ts";
import { readTextFile, writeTextFile } from "./text-file.ts";
import { toolAnswer, attempt, excerpt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

const Input = z.object({
  path: z.string().min(1).describe("File to change, absolute or from the workspace."),
  old_string: z.string().describe("Text that stands in the file exactly so, and only once."),
  new_string: z.string().describe("Text to put in its place."),
  replace_all: z.boolean().optional().describe("Replace every place where old_string stands."),
});

type Input = z.infer<typeof Input>;

type Plan =
  | ({ readonly kind: "change" } & FileChange & { readonly before: string })
  | { readonly kind: "refused"; readonly why: string };

function plan(path: string, input: Input, seen: SeenFiles): Plan {
  const before = readTextFile(path);
  if (seen.isStale(path, before)) {
    return { kind: "refused", why: `${path} has changed since it was read; read it again` };
  }
  const outcome = replaceText(before, {
    oldText: input.old_string,
    newText: input.new_string,
    all: input.replace_all ?? false,
  });
  if (outcome.kind === "refused") return { kind: "refused", why: `${path}: ${outcome.why}` };
  if (Buffer.byteLength(outcome.text) > LIMITS.toolFileBytes) {
    return { kind: "refused", why: `${path} would become too large` };
  }
  return { kind: "change", path, before, after: outcome.text };
}

/** Changes parts of files. */
export function createEditFile(deps: ToolDeps, seen: SeenFiles): AnyTool {
  const paths = createJudgedPaths(deps, "write");
  return defineTool<Input>({
    name: "edit_file",
    aliases: TOOL_ALIASES.edit_file,
    responsibility: "Replaces a piece of text in a file, exactly.",
    description:
      "Replaces old_string in a file by new_string. old_string has to stand in the file exactly, and only once unless replace_all is set.",
    sourceHint: "packages/claw/src/agent/tools/files/edit-file.ts",
    input: Input,
    mainField: "path",
    readOnly: false,
    need: (input) => ({ kind: "write", paths: [paths.judge(input, input.path)] }),
    subject: ({ path }) => path,
    preview: async (input) => {
      const change = plan(paths.judged(input, input.path), input, seen);
      return change.kind === "change" ? previewOf(change) : null;
    },
    run: (input, _call, signal) =>
      attempt(signal, () => {
        const change = plan(paths.judged(input, input.path), input, seen);
        if (change.kind === "refused") return refuseCall(change.why);
        writeTextFile(change.path, change.after);
        seen.saw(change.path, change.after);
        return toolAnswer({
          filePath: change.path,
          oldString: excerpt(input.old_string, REPEATED_CHARS),
          newString: excerpt(input.new_string, REPEATED_CHARS),
          originalFile: excerpt(change.before, REPEATED_CHARS),
          structuredPatch: hunksOf(change),
          userModified: false,
          replaceAll: input.replace_all ?? false,
          gitDiff: null,
        });
      }),
  });
}
