import { relative, sep } from "node:path";
import * as z from "zod";
import { LIMITS } from "@claw/contract";
import { entryAt } from "../permissions/entry-at.ts";
import type { GlobPattern } from "../permissions/glob-pattern.ts";
import { globPattern } from "../permissions/glob-pattern.ts";
import { TOOL_ALIASES } from "../permissions/tool-names.ts";
import { shownPath } from "./grep-tally.ts";
import { createJudgedPaths } from "./judged-paths.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { answer, attempt, refuse } from "./tool-answer.ts";
import type { ToolDeps } from "./tool-deps.ts";
import type { AnyTool } from "./tool.ts";
import { defineTool } from "./tool.ts";

const Input = z.object({
  pattern: z.string().min(1).max(LIMITS.ruleChars).describe("Pattern of paths: src/**/*.ts"),
  path: z.string().min(1).optional().describe("Folder to search; the workspace unless given."),
});

/** A pattern for paths below a folder; one without a slash is for names anywhere. Null when it leads out of it. */
function patternIn(pattern: string, folder: string): GlobPattern | null {
  const inner = pattern.startsWith(folder + sep) ? pattern.slice(folder.length + 1) : pattern.replace(/^\.\//, "");
  if (inner.startsWith("/") || inner.split("/").includes("..") || inner.includes("\0")) return null;
  return globPattern(inner.includes("/") ? inner : `**/${inner}`);
}

interface Found {
  readonly path: string;
  readonly mtimeMs: number;
}

/** The newest first; of those as old by their names. */
const byAge = (left: Found, right: Found): number => right.mtimeMs - left.mtimeMs || (left.path < right.path ? -1 : 1);

/** Finds files by their names. */
export function createGlobSearch(deps: ToolDeps): AnyTool {
  const paths = createJudgedPaths(deps, "read");
  return defineTool<z.infer<typeof Input>>({
    name: "glob_search",
    aliases: TOOL_ALIASES.glob_search,
    responsibility: "Finds files by a pattern of their paths.",
    description:
      "Finds files by a pattern: * within a name, ** across folders, {a,b} one of them. What git ignores is left out, links are not followed. The newest come first.",
    sourceHint: "packages/claw/src/agent/tools/glob-search.ts",
    input: Input,
    mainField: "pattern",
    readOnly: true,
    need: (input) => ({ kind: "read", paths: [paths.judge(input, input.path ?? ".")] }),
    subject: ({ path }) => path ?? ".",
    run: (input, _call, signal) =>
      attempt(signal, async () => {
        const started = performance.now();
        const folder = paths.judged(input, input.path ?? ".");
        const pattern = patternIn(input.pattern, folder);
        if (pattern === null) return refuse("the pattern leads out of the folder; give that folder as path");
        const found: Found[] = [];
        const onRecord = (path: string): boolean => {
          if (!pattern.test(relative(folder, path)) || deps.isHidden?.(path) === true) return true;
          found.push({ path, mtimeMs: entryAt(path)?.mtimeMs ?? 0 });
          return found.length < LIMITS.globCandidates;
        };
        const search = { flags: ["--files", "--null"], pattern: null, path: folder, ends: "\0", onRecord } as const;
        await runRipgrep(search, deps, signal);
        const shown = found.toSorted(byAge).slice(0, LIMITS.globResults);
        return answer({
          durationMs: Math.round(performance.now() - started),
          numFiles: shown.length,
          filenames: shown.map(({ path }) => shownPath(path, deps.workspace.root)),
          truncated: found.length > shown.length,
        });
      }),
  });
}
