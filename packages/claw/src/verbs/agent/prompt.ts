import type { VerbOutput } from "claw-contract";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { count } from "../runs/run-report.ts";
import { duration } from "../text/times.ts";
import { plural } from "../text/text-layout.ts";

type Output = VerbOutput<"prompt">;

const ENDINGS: Readonly<Record<string, string>> = {
  max_turns_reached: "Stopped at the limit of requests; raise it with --max-turns.",
  max_budget_reached: "Stopped before the budget could be exceeded; raise it with --budget-usd.",
};

function summaryLine(output: Output): string {
  const { model, iterations = 0, usage, estimated_cost: cost = "unknown", duration_ms: ms = 0 } = output;
  const read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  return [
    model,
    plural(iterations, "request"),
    `${count(read)} tokens in, ${count(usage.output_tokens)} out`,
    ...(cost === "unknown" ? [] : [cost]),
    duration(ms / 1000),
  ].join(" · ");
}

/** What the agent said, and a short report below it. A compact answer is the text alone. */
function promptReport(output: Output, paint: Paint): string {
  const { message, compact, session_id: session, permission_denials: denials = [], stop_reason: stop = "" } = output;
  if (compact === true) return message;
  if (output.effect === "would_update") return `Would ask ${output.model} in ${output.would_affect?.join(", ") ?? ""}`;
  const ending = ENDINGS[stop];
  return [
    ...(message.trim() === "" ? [] : [message.trimEnd(), ""]),
    ...(ending === undefined ? [] : [paint.yellow(ending)]),
    ...denials.map(({ tool_name: tool, reason }) => `${paint.yellow("denied")} ${tool}: ${reason}`),
    paint.dim(summaryLine(output)),
    ...(typeof session === "string" ? [paint.dim(`session ${session}`)] : []),
  ].join("\n");
}

export const handler = handle("prompt", {
  run: async function* (input, ports) {
    const { runPrompt } = await import("./open-agent.ts");
    return yield* runPrompt(input, ports);
  },
  showItem: (item) => JSON.stringify(item),
  show: promptReport,
});
