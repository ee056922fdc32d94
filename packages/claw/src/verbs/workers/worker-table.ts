import type { VerbOutput, WorkerState } from "claw-contract";
import { oneLine, shellQuote } from "claw-contract";
import { dollars, plural, tableCells } from "../text/text-layout.ts";
import { reachedText } from "./reached-budgets.ts";
import type { Span, Style } from "../runtime/screen.ts";
import { cutToWidth, printableLine, textWidth } from "../text/text-width.ts";
import { age, localHour } from "../text/times.ts";
import { leftText } from "./work/changes-text.ts";

type Output = VerbOutput<"ps">;
type Worker = Output["workers"][number];
export type Row = readonly Span[];

/** How the word of a state looks. */
export const STATE_STYLES: Readonly<Record<WorkerState, readonly Style[]>> = {
  starting: ["cyan"],
  working: ["green"],
  needs_input: ["bold", "yellow"],
  blocked: ["yellow"],
  rate_limited: ["cyan"],
  stale: ["red"],
  hung: ["red"],
  paused: ["dim"],
  unknown: ["yellow"],
  finished: ["green", "dim"],
  aborted: ["yellow", "dim"],
  failed: ["red"],
  gone: ["red", "dim"],
};

/** States in which a worker gets no further until a person looks at the worker. */
const NEEDY: ReadonlySet<WorkerState> = new Set(["needs_input", "blocked", "stale", "hung", "unknown"]);

/** The cost of a worker; empty before the worker has spent anything. */
export const costCell = ({ cost_usd: usd, cost_estimated: isEstimate }: Worker): string =>
  usd === 0 ? "" : dollars(usd, isEstimate);

/** The current action of a worker, or the reason of its end. */
export function doingCell({ state, reason, until, current_action: action, completion, doubts }: Worker): string {
  if (state === "working") return action ?? reason;
  const judged = completion === null ? "" : `${completion.replace("_", " ")}: `;
  const doubted = doubts.length === 0 ? "" : ` (doubtful: ${doubts.join(", ")})`;
  return `${judged}${reason}${doubted}${until === null ? "" : ` (until ${localHour(until)})`}`;
}

export interface PlacedWorker {
  readonly worker: Worker;
  readonly depth: number;
}

/** Orders workers with children below their parents. Trees with a worker that needs a person come first. */
export function placeWorkers(workers: readonly Worker[]): PlacedWorker[] {
  const known = new Set(workers.map(({ peer_id: id }) => id));
  const seen = new Set<string>();
  const below = (id: string): Worker[] => workers.filter(({ parent_id: parent }) => parent === id);
  const walk = (worker: Worker, depth: number): PlacedWorker[] => {
    if (seen.has(worker.peer_id)) return [];
    seen.add(worker.peer_id);
    return [{ worker, depth }, ...needyFirst(below(worker.peer_id).map((child) => walk(child, depth + 1)))];
  };
  const isRoot = ({ parent_id: parent, peer_id: id }: Worker): boolean =>
    parent === null || parent === id || !known.has(parent);
  const trees = workers.filter(isRoot).map((root) => walk(root, 0));
  // A worker in a cycle of parents has no root and is added here.
  const rest = workers.map((worker) => walk(worker, 0));
  return needyFirst([...trees, ...rest]);
}

function needyFirst(trees: readonly PlacedWorker[][]): PlacedWorker[] {
  const isNeedy = (tree: PlacedWorker[]): boolean => tree.some(({ worker }) => NEEDY.has(worker.state));
  return [...trees.filter(isNeedy), ...trees.filter((tree) => !isNeedy(tree))].flat();
}

/** Columns between the name and the activity. An `optional` column is left out when all its cells are empty. */
const COLUMNS: readonly {
  readonly heading: string;
  readonly optional?: true;
  readonly cell: (worker: Worker, nowMs: number) => string;
}[] = [
  { heading: "STATE", cell: ({ state }) => state },
  // The permissions of an agent matter only while the worker runs.
  { heading: "MAY", optional: true, cell: ({ ended, permission_mode: mode }) => (ended ? "" : (mode ?? "")) },
  { heading: "PHASE", cell: ({ phase }) => phase ?? "" },
  { heading: "FOR", cell: ({ as_of: since }, nowMs) => age(since, nowMs) },
  { heading: "COST", cell: costCell },
];

const NAME_HEADING = "  NAME";
const MAX_NAME_COLUMNS = 22;
const LEAST_NAME_COLUMNS = 4;

/** Ids of workers whose name other workers in the table have too. */
function namesakes(workers: readonly Worker[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name } of workers) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set(workers.filter(({ name }) => (counts.get(name) ?? 0) > 1).map(({ peer_id: id }) => id));
}

/** The name, with the id where several workers have the same name; the id is never cut. */
function nameCell({ worker, depth }: PlacedWorker, twins: ReadonlySet<string>): string {
  const start = `${NEEDY.has(worker.state) ? "! " : "  "}${depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `}`;
  const name = printableLine(worker.name);
  if (!twins.has(worker.peer_id)) return `${start}${name}`;
  const id = ` ${printableLine(worker.peer_id)}`;
  const room = Math.max(LEAST_NAME_COLUMNS, MAX_NAME_COLUMNS - textWidth(start) - textWidth(id));
  return `${start}${cutToWidth(name, room)}${id}`;
}

/** The column of machines, when a worker runs on another machine than this. */
const machineColumn = ({ workers, machine: here }: Output): typeof COLUMNS =>
  here !== undefined && workers.some(({ machine = here }) => machine !== here)
    ? [{ heading: "MACHINE", cell: ({ machine = "" }) => printableLine(machine) }]
    : [];

function tableRows(output: Output, columns: number, nowMs: number): Row[] {
  const { workers } = output;
  const twins = namesakes(workers);
  const filled = COLUMNS.filter(({ optional, cell }) => !optional || workers.some((each) => cell(each, nowMs) !== ""));
  const [state, ...others] = filled;
  const shown = [...(state === undefined ? [] : [state]), ...machineColumn(output), ...others];
  const headings = [NAME_HEADING, ...shown.map(({ heading }) => heading), "DOING"];
  const inOrder = placeWorkers(workers);
  const cells = inOrder.map((each) => [
    nameCell(each, twins),
    ...shown.map(({ cell }) => cell(each.worker, nowMs)),
    oneLine(doingCell(each.worker)),
  ]);
  const [head = [], ...lines] = tableCells(headings, cells, { columns, first: MAX_NAME_COLUMNS });
  return [
    [{ text: head.join(""), styles: ["dim"] }],
    ...inOrder.flatMap(({ worker }, index): Row[] => [
      (lines[index] ?? []).map((text, column) => ({
        text,
        ...(column === 1 ? { styles: STATE_STYLES[worker.state] } : {}),
      })),
      ...leftRows(worker, columns),
    ]),
  ];
}

/** Rows below a worker that has ended: the changes in its worktree, if there are any. */
function leftRows({ ended, changes, worktree }: Worker, columns: number): Row[] {
  const left = ended ? leftText(changes, worktree) : null;
  if (left === null) return [];
  return [[{ text: cutToWidth(printableLine(`    changed ${left}`), columns), styles: ["dim"] }]];
}

/** The row of a worker has a cell for each column; headings and rows about changes are one text. */
const isWorkerRow = (row: Row): boolean => row.length > 1;

/** The call with which a person answers a waiting worker. */
function answerCell({ approvals, name, terminal_id: terminal }: Worker): string {
  if (approvals.length > 1) return "claw approvals";
  const [id] = approvals;
  if (id !== undefined) return `claw approve ${shellQuote(id)}`;
  return terminal === null ? `claw send ${shellQuote(name)} TEXT` : `claw attach ${shellQuote(name)}`;
}

/** States as they follow a number, where that is another word. */
const COUNTED: Partial<Readonly<Record<WorkerState, string>>> = {
  needs_input: "waiting for input",
  rate_limited: "rate limited",
};

/** A row for each budget limit that was reached. */
function budgetRows(workers: readonly Worker[], reached: Output["budgets_reached"]): Row[] {
  const nameOf = (id: string): string => workers.find(({ peer_id: peerId }) => peerId === id)?.name ?? id;
  return reached.map((budget) => [{ text: printableLine(reachedText(budget, nameOf)), styles: ["red"] }]);
}

function footer({ workers, hidden_count: hidden, budgets_reached: reached }: Output): Row[] {
  const counts = new Map<WorkerState, number>();
  for (const { state } of workers) counts.set(state, (counts.get(state) ?? 0) + 1);
  const counted = [...counts].map(([state, count]) => `${count} ${COUNTED[state] ?? state}`).join(", ");
  const more = hidden === 0 ? "" : `; ${plural(hidden, "ended one")} more with --all`;
  const waiting = workers.filter(({ state }) => state === "needs_input");
  const [first] = waiting;
  const answers = waiting.length > 1 && waiting.every(({ approvals }) => approvals.length > 0);
  return [
    [{ text: `${plural(workers.length, "worker")}: ${counted}${more}`, styles: ["dim"] }],
    ...budgetRows(workers, reached),
    ...(first === undefined
      ? []
      : [
          [
            { text: waiting.length === 1 ? "1 waits for you: " : `${waiting.length} wait for you: ` },
            { text: answers ? "claw approvals" : answerCell(first), styles: ["cyan"] },
          ] as const,
        ]),
  ];
}

/** Cuts a table to the given number of rows. The footer stays, and a row says how many workers are left out. */
export function fitTable(rows: readonly Row[], output: Output, room: number): readonly Row[] {
  if (rows.length <= room || output.workers.length === 0) return rows;
  const below = footer(output);
  const shown = Math.max(1, room - below.length - 1);
  const left = output.workers.length - rows.slice(0, shown).filter(isWorkerRow).length;
  const more: Row = [{ text: `… ${left} more`, styles: ["dim"] }];
  return [...rows.slice(0, shown), more, ...below].slice(0, room);
}

/** The whole table with its footer, row by row, for a terminal of the given width. */
export function workerTable(output: Output, columns: number, nowMs: number): Row[] {
  const { workers, hidden_count: hidden } = output;
  if (workers.length > 0) return [...tableRows(output, columns, nowMs), [], ...footer(output)];
  const more = hidden === 0 ? "" : ` ${plural(hidden, "ended one")} more with --all.`;
  return [[{ text: `No workers.${more}` }]];
}
