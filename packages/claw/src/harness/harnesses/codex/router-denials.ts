import type { JsonObject } from "claw-contract";
import { stripAnsi } from "claw-contract";

/** Lines of Codex's log about calls of tools that it did not make. */
const ROUTER = /^(\S+) +ERROR codex_core::tools::router: error=(.+)$/;

/** Log messages about a call that needs permission when no person can be asked, with the refused tool. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^approval policy is Never; reject command/, "command_execution"],
  [/^patch rejected: /, "file_change"],
];

/**
 * Calls that `codex exec` refused because it cannot ask for permission. The stream does not mention these calls, and
 * the log names neither command nor file. A denial therefore holds only the tool, the time and the reason.
 */
export function readRouterDenials(stderr: string): readonly JsonObject[] {
  return stripAnsi(stderr)
    .split("\n")
    .flatMap((line) => {
      const [, at, reason = ""] = ROUTER.exec(line) ?? [];
      const [, tool] = REFUSALS.find(([words]) => words.test(reason)) ?? [];
      return tool === undefined ? [] : [{ tool_name: tool, tool_use_id: null, reason, at }];
    });
}
