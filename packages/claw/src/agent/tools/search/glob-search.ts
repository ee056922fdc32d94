import { relative, sep } from "node:path";
import * as z from "zod";
import { ClawError, LIMITS } from "claw-contract";
import type { GlobPattern } from "../../permissions/glob-pattern.ts";
import { globPattern } from "../../permissions/glob-pattern.ts";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import { shownPath } from "./grep-tally.ts";
import { statJudged } from "../files/judged-files.ts";
import { createJudgedPaths } from "../files/judged-paths.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { toolAnswer, attempt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

/** Names that are looked at to find the newest of them. */
const GLOB_CANDIDATES = 10_000;

const Input = z.object({
  pattern: z.string().min(1).max(LIMITS.ruleChars).describe("Pattern of paths: src/**/*.ts"),
  path: z.string().min(1).optional().describe("Folder to search; the workspace unless given."),
});

/**
 * A pattern for paths below a folder; a pattern without a slash fits names at any depth. Null when the pattern leads
 * out of the folder.
 */
function patternIn(pattern: string, folder: string): GlobPattern | null {
  const inner = pattern.startsWith(folder + sep) ? pattern.slice(folder.length + 1) : pattern.replace(/^\.\//, "");
  if (inner.startsWith("/") || inner.split("/").includes("..") || inner.includes("\0")) return null;
  return globPattern(inner.includes("/") ? inner : `**/${inner}`);
}

interface FoundFile {
  readonly path: string;
  readonly mtimeMs: number;
}

/** The time of a file's last change; null when the file is gone, or a link stands on the way by now. */
function changedAt(path: string): number | null {
  try {
    return statJudged(path).mtimeMs;
  } catch (error) {
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** The newest first; files of the same age by name. */
const byAge = (left: FoundFile, right: FoundFile): number =>
  right.mtimeMs - left.mtimeMs || (left.path < right.path ? -1 : 1);

/** Files below a folder whose relative paths fit the pattern; at most `GLOB_CANDIDATES`. */
async function findFiles(
  folder: string,
  pattern: GlobPattern,
  deps: ToolDeps,
  signal: AbortSignal,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const onRecord = (path: string): boolean => {
    if (!pattern.test(relative(folder, path)) || deps.isHidden?.(path) === true) return true;
    const mtimeMs = changedAt(path);
    if (mtimeMs !== null) found.push({ path, mtimeMs });
    return found.length < GLOB_CANDIDATES;
  };
  const files = { flags: ["--files", "--null"], pattern: null, path: folder, ends: "\0" } as const;
  await runRipgrep({ ...files, onRecord, timeoutMs: LIMITS.searchMs }, deps, signal);
  return found;
}

/** Finds files by their names. */
export function createGlobSearch(deps: ToolDeps): AnyTool {
  const paths = createJudgedPaths(deps, "read");
  return defineTool<z.infer<typeof Input>>({
    name: "glob_search",
    aliases: TOOL_ALIASES.glob_search,
    responsibility: "Finds files by a pattern of their paths.",
    description:
      "Finds files by a pattern: * within a name, ** across folders, {a,b} one of them. What git ignores is left out, links are not followed. The newest come first.",
    sourceHint: "docs/agent/tools.md#glob_search",
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
        if (pattern === null) return refuseCall("the pattern leads out of the folder; give that folder as path");
        const found = await findFiles(folder, pattern, deps, signal);
        const shown = found.toSorted(byAge).slice(0, LIMITS.globResults);
        return toolAnswer({
          durationMs: Math.round(performance.now() - started),
          numFiles: shown.length,
          filenames: shown.map(({ path }) => shownPath(path, deps.workspace.root)),
          truncated: found.length > shown.length,
        });
      }),
  });
}
