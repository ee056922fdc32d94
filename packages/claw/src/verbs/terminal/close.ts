import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "../bus/open-bus.ts";
import { knownAnywhere } from "./open-terminal.ts";

export const handler = handle("terminal close", {
  run: async ({ terminal, dryRun }, ports) => {
    requireDaemon(ports);
    const { id, end } = await knownAnywhere(terminal, ports);
    if (dryRun) {
      return {
        terminal_id: id,
        closed: end === null,
        effect: end === null ? "would_delete" : "noop",
        would_affect: [],
      };
    }
    const { alreadyClosed } = await tellBus(ports, "close", { terminalId: id, close_origin: "user" });
    const closed = !alreadyClosed;
    return { terminal_id: id, closed, effect: closed ? "deleted" : "noop" };
  },
  show: ({ terminal_id, effect }) => {
    if (effect === "noop") return `Terminal ${terminal_id} was closed before`;
    return effect === "deleted" ? `Closed terminal ${terminal_id}` : `Would close terminal ${terminal_id}`;
  },
});
