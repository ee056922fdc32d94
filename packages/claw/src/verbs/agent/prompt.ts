import { handle } from "../runtime/handle.ts";
import { promptReport } from "./turns/prompt-report.ts";

export const handler = handle("prompt", {
  run: async function* (input, ports) {
    const { runPrompt } = await import("./open-agent.ts");
    return yield* runPrompt(input, ports);
  },
  showItem: (item) => JSON.stringify(item),
  show: promptReport,
});
