import type { JsonObject } from "@claw/contract";
import { stripAnsi } from "@claw/contract";

/** Lines of Codex's log about calls of tools that it did not make. */
const ROUTER = /^(\S+) +ERROR codex_core::tools::router: error=(.+)$/;

/** What its log says when nobody can be asked for what a call needs; the tool that was refused. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^approval policy is Never; reject command/, "command_execution"],
  [/^patch rejected: /, "file_change"],
];

/**
 * Calls that `codex exec` refused because it asks nobody. Its stream holds nothing of them and its log names neither
 * command nor file, so a denial has the time and the reason alone.
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
