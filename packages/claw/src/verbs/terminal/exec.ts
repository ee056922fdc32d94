import type { VerbOutput } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "../bus/open-bus.ts";
import { openAnywhere } from "./open-terminal.ts";

type Output = VerbOutput<"terminal exec">;

/** Throws EXEC_FAILED when the command failed, or when the shell does not report the exit code. */
function refuseFailure(answer: Output): Output {
  const { command_exit: exit, terminal_id: id, command_line: target } = answer;
  if (exit === 0) return answer;
  const unknown = `the shell of terminal ${id} does not say how the command ended`;
  throw new ClawError("EXEC_FAILED", exit === null ? unknown : `the command ended with exit ${exit}`, {
    operation: "exec",
    target,
    hint: `See what the terminal shows: claw logs ${id}.`,
    partial: answer,
  });
}

export const handler = handle("terminal exec", {
  run: async ({ terminal, commandLine, dryRun }, ports) => {
    requireDaemon(ports);
    const { id } = await openAnywhere(terminal, ports);
    const about = { terminal_id: id, command_line: commandLine };
    if (dryRun) {
      return { ...about, output: "", command_exit: null, duration_ms: 0, effect: "would_update", would_affect: [] };
    }
    const { timeoutSeconds } = ports;
    const timeoutMs = timeoutSeconds === null ? LIMITS.execTimeoutMaxMs : Math.max(1, timeoutSeconds * 1000);
    const startedAt = performance.now();
    const { output, exitCode } = await tellBus(ports, "exec", { terminalId: id, command: commandLine, timeoutMs });
    return refuseFailure({
      ...about,
      output,
      command_exit: exitCode,
      duration_ms: Math.round(performance.now() - startedAt),
      effect: "updated",
    });
  },
  show: ({ output, effect, terminal_id }) =>
    effect === "would_update" ? `Would run it in terminal ${terminal_id}` : output.replace(/\n$/, ""),
});
