import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";
import { workerRow } from "./worker-row.ts";

/** Workers in one answer; the rest follows behind the cursor. */
const PAGE = 50;

/** Lists workers, oldest first, in pages. The cursor is the id of the last worker shown. */
export const workersTool: ToolHandler<"claws_workers"> = async ({ cursor, ...input }, { ports }) => {
  const { data } = await callVerb("ps", input, ports);
  const start = cursor === undefined ? 0 : data.workers.findIndex(({ peer_id: id }) => id === cursor) + 1;
  const page = data.workers.slice(start, start + PAGE);
  const last = page.at(-1);
  const more = last !== undefined && start + PAGE < data.workers.length ? { cursor: last.peer_id } : {};
  return {
    data: { workers: page.map(workerRow), total: data.workers_count, waiting: data.waiting_count, ...more },
  };
};
