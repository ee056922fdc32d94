import { isoTime } from "claw-contract";
import { watchBus } from "../bus/ask-bus.ts";
import { askEveryMachine } from "../bus/every-machine.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";

export const handler = handle("terminal list", {
  run: (_input, ports) =>
    watchBus(ports, async (bus) => {
      const { replies, here, unheard } = await askEveryMachine(bus, "list");
      for (const machine of unheard) ports.notes.warn(`MACHINE_AWAY: terminals of machine ${machine} are not listed`);
      const terminals = replies
        .flatMap(({ terminals: open }) => open)
        .map((terminal) => ({
          terminal_id: terminal.id,
          name: terminal.name,
          ...(terminal.machine === undefined ? {} : { machine: terminal.machine }),
          pid: terminal.pid,
          state: terminal.vehicleState ?? null,
          worker_id: terminal.workerId,
          cols: terminal.cols,
          rows: terminal.rows,
          cwd: terminal.cwd,
          opened_at: isoTime(terminal.openedAt),
        }));
      return { ...here, terminals_count: terminals.length, terminals };
    }),
  show: ({ machine: here, terminals }, paint) => {
    if (terminals.length === 0) return "No terminals. Open one with claw terminal create.";
    const hasOthers = terminals.some(({ machine }) => machine !== here);
    const rows = terminals.map(({ terminal_id, name, machine, state, worker_id, opened_at }) => [
      terminal_id,
      name,
      ...(hasOthers ? [machine ?? ""] : []),
      (state ?? "").toLowerCase(),
      worker_id ?? "",
      ago(opened_at, Date.now()),
    ]);
    const machine = hasOthers ? ["MACHINE"] : [];
    return table(["TERMINAL", "NAME", ...machine, "STATE", "WORKER", "OPENED"], rows, paint);
  },
});
