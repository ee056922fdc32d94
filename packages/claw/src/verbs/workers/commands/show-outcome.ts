import type { VerbOutput } from "claw-contract";
import type { Paint } from "../../runtime/paint.ts";
import { plural } from "../../text/text-layout.ts";

type Outcome = VerbOutput<"send">;
type Rung = Outcome["steps"][number];

const preview = ({ name, would_affect }: Outcome, paint: Paint): string =>
  `Would give ${paint.bold(name)} ${would_affect?.[0] ?? ""}`;

/** Says which place a text has in the queue of a busy worker. */
export function queuedText({ name, ahead = 0 }: Pick<Outcome, "name" | "ahead">): string {
  const before = ahead === 0 ? "it is the next" : `${plural(ahead, "other")} before it`;
  return `Queued for ${name}, which is at work; ${before}.`;
}

const evidenceText = ({ evidence }: Rung): string => {
  if (evidence === null) return "";
  return evidence.kind === "pty_offset" ? `terminal byte ${evidence.value}` : `${evidence.kind} ${evidence.value}`;
};

/**
 * Shows the steps of a sent text, one step a line. For a text in the queue of a busy worker, shows the place in the
 * queue.
 */
export function showSent(outcome: Outcome, paint: Paint): string {
  const { name, steps, step, sequence, effect, busy } = outcome;
  if (effect === "would_create") return preview(outcome, paint);
  if (step === "queued" && busy === true) {
    return `${queuedText(outcome)}\nFollow it: ${paint.cyan(`claw events --follow --topic 'system.command.*'`)}`;
  }
  const head = `${paint.bold(name)}: ${step ?? "sent"}${sequence === 0 ? "" : paint.dim(`, command ${sequence}`)}`;
  const detail = (rung: Rung): string =>
    [evidenceText(rung), rung.reason ?? ""].filter((text) => text !== "").join(": ");
  const lines = steps.map((rung) => `  ${rung.step.padEnd(10)} ${paint.dim(detail(rung))}`.trimEnd());
  return [head, ...lines].join("\n");
}

/** Says that a command was done or, before the worker has done it, that the worker was told. */
export const showDone =
  (done: string, action: string) =>
  (outcome: Outcome, paint: Paint): string => {
    const { name, step, effect } = outcome;
    if (effect === "would_create") return preview(outcome, paint);
    if (step === "applied") return `${done} ${paint.bold(name)}`;
    return `Told ${paint.bold(name)} to ${action}${step === null ? "" : paint.dim(` (${step})`)}`;
  };
