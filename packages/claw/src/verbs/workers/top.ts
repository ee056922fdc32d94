import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { plural } from "../text/text-layout.ts";

type Output = VerbOutput<"top">;

async function run(input: VerbInput<"top">, ports: Ports): Promise<Output> {
  if (input.dryRun) return { workers_count: 0, waiting_count: 0, effect: "would_update", would_affect: [] };
  if (ports.openFullScreen === null) {
    throw new ClawError("INTERACTIVE_ONLY", "claw top needs a terminal", {
      operation: "top",
      target: "top",
      hint: "Run it on a terminal, or list the workers with claw ps.",
    });
  }
  const { runTop } = await import("./top/run-top.ts");
  const { workers, waiting } = await runTop(input, ports, ports.openFullScreen);
  return { workers_count: workers, waiting_count: waiting, effect: "noop" };
}

export const handler = handle("top", {
  run,
  show: ({ workers_count: workers, waiting_count: waiting, effect }) =>
    effect === "would_update"
      ? "Would show the workers on the whole terminal."
      : `${plural(workers, "worker")}, ${waiting === 1 ? "1 thing waits" : `${waiting} things wait`} for you.`,
});
