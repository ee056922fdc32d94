import type { FakeStep } from "claw-contract";

/** Values that strings of a scenario can name. */
export interface Known {
  readonly prompt: string;
  readonly cwd: string;
  readonly model: string;
  readonly answer: string;
}

function fillText<T>(value: T, known: Known): T {
  if (typeof value === "string") {
    const filled = value.replaceAll(/\{\{(prompt|cwd|model|answer)\}\}/g, (_, name: keyof Known) => known[name]);
    return filled as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fillText(item, known)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillText(member, known)])) as T;
}

/**
 * Fills known values into the strings of a step. Nested steps are filled when they are played, since more values are
 * known then.
 */
export function fillStep(step: FakeStep, known: Known): FakeStep {
  if (step.type === "repeat") return step;
  if (step.type !== "permission") return fillText(step, known);
  const { allowed, denied } = step;
  return { ...fillText({ ...step, allowed: [], denied: [] }, known), allowed, denied };
}
