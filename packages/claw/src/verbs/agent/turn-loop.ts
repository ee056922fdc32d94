import type { VerbOutput } from "claw-contract";
import { handle } from "../runtime/handle.ts";
import { plural } from "../text/text-layout.ts";

type LoopTurn = VerbOutput<"turn-loop">["turns"][number];

function turnText({ prompt, output, stop_reason }: LoopTurn, index: number): string {
  return [`## Turn ${index + 1}: ${prompt}`, output, `(${stop_reason})`].filter((line) => line !== "").join("\n");
}

export const handler = handle("turn-loop", {
  run: async (input, ports) => {
    const { runTurnLoop } = await import("./open-agent.ts");
    return runTurnLoop(input, ports);
  },
  show: ({ turns, turns_completed: completed, effect, max_turns: most }, paint) => {
    if (effect.startsWith("would")) return `Would run up to ${plural(most, "turn")}`;
    const summary = paint.dim(`${plural(completed, "turn")} completed`);
    return [...turns.map(turnText), summary].join("\n\n");
  },
});
