import * as z from "zod";
import { LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import { createGrepTally } from "./grep-tally.ts";
import { createJudgedPaths } from "../files/judged-paths.ts";
import type { TextSearch } from "./search-text.ts";
import { searchText } from "./search-text.ts";
import { toolAnswer, attempt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

const MODES = ["files_with_matches", "content", "count"] as const;
const Lines = z.number().int().min(0).max(LIMITS.grepLinesMax).optional();

const Input = z.object({
  pattern: z.string().min(1).describe("Regular expression."),
  path: z.string().min(1).optional().describe("File or folder to search; the workspace unless given."),
  glob: z.string().min(1).optional().describe("Only files of such names: *.ts"),
  output_mode: z.enum(MODES).optional().describe("files_with_matches unless given."),
  "-A": Lines.describe("Lines to show behind each match."),
  "-B": Lines.describe("Lines to show before each match."),
  "-C": Lines.describe("Lines to show around each match."),
  context: Lines.describe("The same as -C."),
  "-n": z.boolean().optional().describe("Show line numbers; true unless given."),
  "-i": z.boolean().optional().describe("Ignore case."),
  type: z
    .string()
    .regex(/^[a-z0-9_+-]+$/)
    .optional()
    .describe("Only files of a type ripgrep knows: ts, py, rust."),
  head_limit: z.number().int().min(1).max(LIMITS.grepLinesMax).optional().describe("Most lines or names to give."),
  offset: z.number().int().min(0).optional().describe("How many lines or names to skip."),
  multiline: z.boolean().optional().describe("Let the pattern match across lines."),
});

type Input = z.infer<typeof Input>;

/** A glob for names is made a type of file, since ripgrep's own globs overrule what git ignores. */
function globFlags(glob: string | undefined): string[] {
  if (glob === undefined) return [];
  if (glob.includes("/") || glob.startsWith("!")) return [`--glob=${glob}`];
  return [`--type-add=clawglob:${glob}`, "--type=clawglob"];
}

const matchingFlags = (input: Input): string[] => [
  ...(input["-i"] === true ? ["--ignore-case"] : []),
  ...(input.multiline === true ? ["--multiline", "--multiline-dotall"] : []),
];

const choosingFlags = (input: Input): string[] => [
  ...(input.type === undefined ? [] : [`--type=${input.type}`]),
  ...globFlags(input.glob),
];

function showingFlags(input: Input): string[] {
  const mode = input.output_mode ?? "files_with_matches";
  const around = input["-C"] ?? input.context;
  const lines = (flag: string, count: number | undefined): string[] =>
    count === undefined ? [] : [`${flag}=${count}`];
  return [
    "--null",
    "--sort=path",
    "--with-filename",
    ...(mode === "files_with_matches" ? ["--files-with-matches"] : []),
    ...(mode === "count" ? ["--count-matches"] : []),
    ...(mode === "content" ? ["--no-heading", input["-n"] === false ? "--no-line-number" : "--line-number"] : []),
    ...(mode === "content" ? [`--max-columns=${LIMITS.grepLineChars}`, "--max-columns-preview"] : []),
    ...(mode === "content" ? lines("--after-context", input["-A"]) : []),
    ...(mode === "content" ? lines("--before-context", input["-B"]) : []),
    ...(mode === "content" ? lines("--context", around) : []),
  ];
}

/** Searches text in files. */
export function createGrepSearch(deps: ToolDeps): AnyTool {
  const paths = createJudgedPaths(deps, "read");
  return defineTool<Input>({
    name: "grep_search",
    aliases: TOOL_ALIASES.grep_search,
    responsibility: "Searches files for a regular expression.",
    description:
      "Searches files with ripgrep. What git ignores is left out, links are not followed. Gives names of files, or matching lines with output_mode content.",
    sourceHint: "docs/agent/tools.md#grep_search",
    input: Input,
    mainField: "pattern",
    readOnly: true,
    need: (input) => ({ kind: "read", paths: [paths.judge(input, input.path ?? ".")] }),
    subject: ({ path }) => path ?? ".",
    run: (input, _call, signal) =>
      attempt(signal, async () => {
        if ([input.pattern, input.glob].some((text) => text?.includes("\0"))) {
          return refuseCall("it holds a NUL character");
        }
        const mode = input.output_mode ?? "files_with_matches";
        const [limit, offset] = [input.head_limit ?? LIMITS.grepLines, input.offset ?? 0];
        const tally = createGrepTally({ mode, limit, offset }, deps);
        const search: TextSearch = {
          pattern: input.pattern,
          path: paths.judged(input, input.path ?? "."),
          matching: matchingFlags(input),
          choosing: choosingFlags(input),
          showing: showingFlags(input),
          ends: mode === "files_with_matches" ? "\0" : "\n",
          // Each file gives at least one line; one file more shows that there are more matches.
          maxFiles: offset + limit + 1,
          onRecord: tally.take,
        };
        const mayBeMore = await searchText(search, deps, signal);
        return toolAnswer(tally.report(mayBeMore));
      }),
  });
}
