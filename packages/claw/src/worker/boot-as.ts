import { COMMAND_CAPABILITY } from "claw-contract";
import type { LifeParts } from "./worker-life.ts";
import { tell } from "./worker-life.ts";

const SUMMARY_CHARS = 200;

/** Publishes the worker's boot. */
export function bootAs(life: LifeParts, more: { readonly terminal_id?: string } = {}): void {
  const { worker, job, redactor } = life;
  const [line = ""] = job.mission.trim().split("\n");
  const input = {
    model: job.model ?? job.harness,
    mission_summary: redactor.redactText(line).slice(0, SUMMARY_CHARS) || job.name,
    cwd: job.cwd,
    capabilities: [COMMAND_CAPABILITY],
    ...more,
  };
  // A life has exactly one boot, and the job provides its event id. Generating an id would take as long as connecting.
  const boot = worker.boot(input, { id: job.bootId });
  tell(life, "boot", boot);
}
