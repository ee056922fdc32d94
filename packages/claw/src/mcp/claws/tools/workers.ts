import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";
import type { ToolPorts } from "../tool-host.ts";
import { pageAfter } from "./page-after.ts";
import { workerRow } from "./worker-row.ts";

/** Workers in one answer; the rest follows behind the cursor. */
const PAGE = 50;

/** Lists workers, oldest first. The cursor is the id of the last worker shown. */
export const handleWorkers: ToolHandler<"claws_workers"> = async ({ cursor, ...input }, { ports }) => {
  const { data } = await callVerb("ps", input, ports);
  const { items, next } = pageAfter(data.workers, cursor, { size: PAGE, idOf: ({ peer_id: id }) => id });
  return {
    data: {
      workers: items.map(workerRow),
      total: data.workers_count,
      waiting: data.waiting_count,
      ...(next === undefined ? {} : { cursor: next }),
    },
  };
};

/** Changes of state in one answer; older ones are in the log. */
const CHANGES = 20;

/** A worker with the last changes of state and the workers that the worker started. */
export async function showWorker(id: string, ports: ToolPorts) {
  const bus = await ports.seat.join(ports.signal);
  try {
    const { worker, changes, children } = await bus.request("worker.show", { workerId: id });
    const { tokens, model, cwd, phase, source, as_of, checks, changes: work, since, current_action } = worker;
    const more = { tokens, model, cwd, phase, source, as_of, since, current_action, checks, changes: work };
    return {
      worker: { ...workerRow(worker), ...more },
      changes: changes.slice(-CHANGES).map(({ state, reason, ts }) => ({ state, reason, ts })),
      children: children.slice(0, PAGE).map(workerRow),
    };
  } finally {
    await bus.close();
  }
}

export const handleShow: ToolHandler<"claws_show"> = async ({ worker }, { ports }) => ({
  data: await showWorker(worker, ports),
});
