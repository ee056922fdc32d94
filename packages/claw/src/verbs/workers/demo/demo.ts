import { handle } from "../../runtime/handle.ts";
import { nextSteps, plural, table } from "../../text/text-layout.ts";
import { padToWidth } from "../../text/text-width.ts";

export const handler = handle("demo", {
  run: async function* (input, ports) {
    const { runDemo } = await import("./run-demo.ts");
    return yield* runDemo(input, ports);
  },
  showItem: (item, paint) => {
    if (item.type === "page") return `The same in a browser: ${paint.cyan(item.url)}`;
    const { worker, text, tone } = item;
    const paints = { plain: (said: string) => said, good: paint.green, bad: paint.yellow, asks: paint.cyan };
    return `${paint.dim(padToWidth(worker ?? "", 9))} ${paints[tone](text)}`;
  },
  show: ({ workers, events_count: events, duration_ms: ms, next_steps: steps }, paint) => {
    const rows = workers.map(({ name, completion, attempts, cost_usd: cost }) => [
      name,
      completion ?? "",
      String(attempts),
      `$${cost.toFixed(4)}`,
    ]);
    const sum = paint.dim(`${plural(events, "event")} in ${(ms / 1000).toFixed(1)} s`);
    return [table(["WORKER", "RESULT", "STARTS", "COST"], rows, paint), sum, "", nextSteps(steps, paint)].join("\n");
  },
});
