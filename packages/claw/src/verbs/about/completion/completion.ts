import type { VerbOutput } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { completionFiles } from "./completion-files.ts";
import type { ShellName } from "./shell-scripts.ts";
import { completionScript } from "./shell-scripts.ts";
import { writeCompletion } from "./write-completion.ts";

type Output = VerbOutput<"completion">;

/** What a whole change did, of the effects on its files. */
const effectOf = (files: Output["files"]): Output["effect"] =>
  files.find(({ effect }) => effect !== "noop")?.effect ?? "noop";

function install(shell: ShellName, action: "install" | "uninstall", dryRun: boolean, ports: Ports): Output {
  const files = writeCompletion(completionFiles(shell, ports.env), action, { dryRun, ports });
  const [script] = files;
  const next =
    action === "uninstall" || dryRun || script === undefined
      ? null
      : shell === "fish"
        ? "exec fish"
        : `source ${shellQuote(script.path)}`;
  return {
    shell,
    script: completionScript(shell),
    files,
    next,
    effect: effectOf(files),
    ...(dryRun ? { would_affect: files.filter(({ effect }) => effect !== "noop").map(({ path }) => path) } : {}),
  };
}

const WORDS = {
  created: "Wrote",
  updated: "Changed",
  deleted: "Removed",
  noop: "As it was:",
  would_create: "Would write",
  would_update: "Would change",
  would_delete: "Would remove",
} as const;

export const handler = handle("completion", {
  run: ({ shell, install: wantsIn, uninstall, dryRun }, ports) => {
    if (wantsIn && uninstall) {
      throw new ClawError("INVALID_FLAG_VALUE", "--install and --uninstall exclude each other", {
        operation: "read_flags",
        target: "--uninstall",
      });
    }
    if (wantsIn || uninstall) return install(shell, uninstall ? "uninstall" : "install", dryRun, ports);
    return { shell, script: completionScript(shell), files: [], next: null, effect: "noop" };
  },
  show: ({ script, files, next }, paint) => {
    if (files.length === 0) return script.trimEnd();
    const lines = files.map(({ path, effect }) => `${WORDS[effect]} ${path}`);
    return [...lines, ...(next === null ? [] : [`New shells complete claw. In this one: ${paint.cyan(next)}`])].join(
      "\n",
    );
  },
});
