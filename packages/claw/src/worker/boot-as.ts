import { COMMAND_CAPABILITY } from "@claw/contract";
import type { Shift } from "./shift.ts";
import { tell } from "./shift.ts";

const SUMMARY_CHARS = 200;

/** Says that the worker is up. */
export function bootAs(shift: Shift, more: { readonly terminal_id?: string } = {}): void {
  const { worker, job, redactor } = shift;
  const [line = ""] = job.mission.trim().split("\n");
  const boot = worker.boot({
    model: job.model ?? job.harness,
    mission_summary: redactor.redactText(line).slice(0, SUMMARY_CHARS) || job.name,
    cwd: job.cwd,
    capabilities: [COMMAND_CAPABILITY],
    ...more,
  });
  tell(shift, "boot", boot);
}
