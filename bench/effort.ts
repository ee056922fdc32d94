/**
 * How much work the suites do. `BENCH_EFFORT=full` takes some minutes more and gives steadier figures. `smoke` does the
 * least that passes through everything, so that tests notice a suite that no longer runs; its figures say nothing.
 */
const EFFORTS = ["smoke", "usual", "full"] as const;
export type Effort = (typeof EFFORTS)[number];

const asked = process.env["BENCH_EFFORT"] ?? "usual";

export const EFFORT: Effort = EFFORTS.find((effort) => effort === asked) ?? "usual";

/** A size for a run whose figures count, and one for a smoke run. */
export const sizeOf = (usual: number, smoke: number): number => (EFFORT === "smoke" ? smoke : usual);
