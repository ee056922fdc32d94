import { isoTime } from "claw-contract";
import { askBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";

export const handler = handle("terminal list", {
  run: async (_input, ports) => {
    const { terminals: open } = await askBus(ports, "list");
    const terminals = open.map((terminal) => ({
      terminal_id: terminal.id,
      name: terminal.name,
      pid: terminal.pid,
      state: terminal.vehicleState ?? null,
      worker_id: terminal.workerId,
      cols: terminal.cols,
      rows: terminal.rows,
      cwd: terminal.cwd,
      opened_at: isoTime(terminal.openedAt),
    }));
    return { terminals_count: terminals.length, terminals };
  },
  show: ({ terminals }, paint) => {
    if (terminals.length === 0) return "No terminals. Open one with claw terminal create.";
    const rows = terminals.map(({ terminal_id, name, state, worker_id, opened_at }) => [
      terminal_id,
      name,
      (state ?? "").toLowerCase(),
      worker_id ?? "",
      ago(opened_at, Date.now()),
    ]);
    return table(["TERMINAL", "NAME", "STATE", "WORKER", "OPENED"], rows, paint);
  },
});
