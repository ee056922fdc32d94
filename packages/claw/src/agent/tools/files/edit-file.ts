import * as z from "zod";
import { LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import type { FileChange } from "./file-change.ts";
import { hunksOf, previewOf, REPEATED_CHARS } from "./file-change.ts";
import { createJudgedPaths } from "./judged-paths.ts";
import type { SeenFiles } from "./seen-files.ts";
import { readTextFile, writeTextFile } from "./text-file.ts";
import { toolAnswer, attempt, excerpt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

type ReplaceOutcome =
  | { readonly kind: "replaced"; readonly text: string; readonly count: number }
  | { readonly kind: "refused"; readonly why: string };

const refused = (why: string): ReplaceOutcome => ({ kind: "refused", why });

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Whether all lines end in CR LF. Models write LF, and mean the line ends of the file. */
const isCrLf = (text: string): boolean => text.includes("\r\n") && !/(?<!\r)\n/.test(text);

function withLineEndsOf(text: string, part: string): string {
  return isCrLf(text) ? part.replaceAll(/\r?\n/g, "\r\n") : part;
}

/** Replaces a part of a text. The part has to be there exactly, and only once unless `all` is set. */
function replaceText(text: string, { oldText, newText, all }: Replacement): ReplaceOutcome {
  if (oldText === "") return refused("old_string is empty; write_file makes new files");
  const [part, other] = [withLineEndsOf(text, oldText), withLineEndsOf(text, newText)];
  if (part === other) return refused("old_string and new_string are the same");
  const count = countOf(text, part);
  if (count === 0) return refused("old_string is not in the file; it has to be there exactly, with its spaces");
  if (count > 1 && !all) {
    return refused(`old_string is in the file ${count} times; give more of what is around it, or set replace_all`);
  }
  return { kind: "replaced", text: text.split(part).join(other), count };
}

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
    sourceHint: "docs/agent/tools.md#edit_file",
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
