import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { checkCluster } from "./cluster-checks.ts";
import { CHECKS, runDoctorCheck } from "./doctor-checks.ts";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { plural } from "../text/text-layout.ts";
import { padToWidth, widestOf } from "../text/text-width.ts";

type Output = VerbOutput<"doctor">;

function doctorOutput(checks: Output["checks"]): Output {
  const count = (status: "ok" | "warn" | "fail"): number => checks.filter((check) => check.status === status).length;
  const failures = count("fail");
  const warnings = count("warn");
  return {
    kind: "doctor",
    status: failures > 0 ? "fail" : warnings > 0 ? "warn" : "ok",
    has_failures: failures > 0,
    summary: { total: checks.length, ok: count("ok"), warnings, failures },
    checks,
  };
}

function show({ checks, summary }: Output, paint: Paint): string {
  const marks = { ok: paint.green("ok  "), warn: paint.yellow("warn"), fail: paint.red("fail") };
  const width = widestOf(checks.map(({ name }) => name));
  const lines = checks.flatMap((check) => [
    `${marks[check.status]}  ${padToWidth(check.name, width)}  ${check.summary}`,
    ...(check.fix === null ? [] : [`      ${" ".repeat(width)}  ${paint.cyan(check.fix)}`]),
  ]);
  return [...lines, "", `${plural(summary.total, "check")}, ${plural(summary.failures, "failure")}`].join("\n");
}

export const handler = handle("doctor", {
  run: async (_input, ports) => {
    const checks = [];
    for (const check of CHECKS) checks.push(await runDoctorCheck(check, ports));
    checks.push(...(await checkCluster(ports)));
    const output = doctorOutput(checks);
    if (!output.has_failures) return output;
    const failed = checks.filter((check) => check.status === "fail");
    throw new ClawError("DOCTOR_FAILED", failed.map((check) => `${check.name}: ${check.summary}`).join("; "), {
      operation: "check",
      target: failed.map((check) => check.id).join(","),
      partial: output,
    });
  },
  show,
});
