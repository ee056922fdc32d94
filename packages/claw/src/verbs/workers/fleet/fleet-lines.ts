import type { FleetMember, FleetProgress, FleetStatus, VerbItem, VerbOutput } from "claw-contract";
import { oneLine } from "claw-contract";
import { dollars, plural, table } from "../../text/text-layout.ts";
import type { Paint } from "../../runtime/paint.ts";
import { cutToWidth, padToWidth } from "../../text/text-width.ts";
import { changesText } from "../work/changes-text.ts";

type Item = VerbItem<"fleet">;
type Output = VerbOutput<"fleet">;

export const itemOf = ({ name, peerId, status, state, reason }: FleetMember): Item => ({
  type: "worker",
  name,
  peer_id: peerId,
  status,
  state,
  reason,
});

const isSameItem = (a: Item, b: Item | undefined): boolean =>
  a.status === b?.status && a.state === b.state && a.peer_id === b.peer_id;

/** An item for each worker that changed since the last call. */
export function changedItems({ members }: FleetProgress, shown: Map<string, Item>): Item[] {
  const items = members.map(itemOf).filter((item) => item.status !== "waiting" || shown.has(item.name));
  const changed = items.filter((item) => !isSameItem(item, shown.get(item.name)));
  for (const item of changed) shown.set(item.name, item);
  return changed;
}

/** The line at the bottom of a terminal. */
export function summaryLine({ members }: FleetProgress): string {
  const count = (status: FleetStatus): number => members.filter((member) => member.status === status).length;
  const parts = (["running", "starting", "waiting", "done", "failed", "skipped"] as const)
    .map((status): [FleetStatus, number] => [status, count(status)])
    .filter(([, number]) => number > 0);
  return parts.map(([status, number]) => `${number} ${status}`).join(" · ");
}

const colour = (paint: Paint, status: FleetStatus): ((text: string) => string) => {
  if (status === "done") return paint.green;
  if (status === "failed") return paint.red;
  return status === "skipped" ? paint.yellow : (text) => text;
};

const NAME_COLUMNS = 20;
const STATUS_COLUMNS = 10;
const LEAST_COLUMNS = 8;

export function showFleetItem({ name, peer_id, status, state, reason }: Item, paint: Paint): string {
  const what = status === "running" && state !== null ? state : status;
  const start = `${padToWidth(cutToWidth(name, NAME_COLUMNS), NAME_COLUMNS)}  ${colour(paint, status)(what.padEnd(STATUS_COLUMNS + 2))}`;
  const rest = [peer_id ?? "", oneLine(reason)].filter((part) => part !== "").join("  ");
  const room = paint.columns - NAME_COLUMNS - STATUS_COLUMNS - 6;
  return `${start}  ${paint.dim(cutToWidth(rest, Math.max(room, LEAST_COLUMNS)))}`.trimEnd();
}

/** A line for each worker that left changes in its worktree. */
function leftLines({ workers }: Output, paint: Paint): string[] {
  const lines = workers.flatMap(({ name, branch, changes }) => {
    const left = changes === null || branch === null ? null : changesText(changes, branch);
    return left === null ? [] : [cutToWidth(`${name} changed ${left}`, paint.columns)];
  });
  return lines.length === 0 ? [] : [lines.join("\n"), ""];
}

export function show(output: Output, paint: Paint): string {
  const { fleet, workers, done, failed, skipped, total_cost_usd: cost, effect } = output;
  if (effect === "would_create") {
    const rows = workers.map(({ name, reason }) => [name, reason === "" ? "at once" : reason]);
    return [`Would start the fleet ${fleet}:`, table(["WORKER", "WHEN"], rows, paint)].join("\n");
  }
  const rows = workers.map((worker) => [
    worker.name,
    worker.peer_id ?? "-",
    worker.status,
    worker.completion ?? "-",
    dollars(worker.cost_usd, worker.cost_estimated),
    oneLine(worker.reason),
  ]);
  const rest = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""].filter((each) => each);
  const totals = [
    `${done} of ${plural(workers.length, "worker")} done`,
    ...rest,
    dollars(cost, output.cost_estimated),
  ].join(", ");
  const workersTable = table(["WORKER", "PEER", "STATUS", "RESULT", "COST", "WHY"], rows, paint);
  return [workersTable, "", ...leftLines(output, paint), totals].join("\n");
}
