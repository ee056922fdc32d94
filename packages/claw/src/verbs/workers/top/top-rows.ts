import type { WorkerView } from "claw-contract";
import { amountText, oneLine } from "claw-contract";
import type { ScreenRow } from "../../runtime/full-screen.ts";
import type { Span, Style } from "../../runtime/screen.ts";
import { cutToWidth, padToWidth, printableLine, textWidth } from "../../text/text-width.ts";
import { dollars, plural } from "../../text/text-layout.ts";
import { age, localHour, timeLeft } from "../../text/times.ts";
import type { PlacedWorker } from "../worker-table.ts";
import { costCell, doingCell, STATE_STYLES } from "../worker-table.ts";
import { LIST_KEYS } from "./top-keys.ts";
import type { TopMoment, TopItem } from "./top-list.ts";
import { listedIn } from "./top-list.ts";
import type { TextPage, TopRoom, TopState } from "./top-state.ts";
import { itemsOf, selectedItem } from "./top-state.ts";

/** Rows that are not of the list or the page: the head, the message and the keys. */
const FRAME_ROWS = 3;

/** The room for the list or a page, on a terminal of this size. */
export const roomOf = ({ columns, rows }: TopRoom): TopRoom => ({ columns, rows: Math.max(1, rows - FRAME_ROWS) });

const dim = (text: string): Span => ({ text, styles: ["dim"] });

const spentIn = (workers: readonly WorkerView[]): string =>
  dollars(
    workers.reduce((sum, { cost_usd: usd }) => sum + usd, 0),
    workers.some(({ cost_estimated: isEstimate }) => isEstimate),
  );

function headRow(state: TopState, nowMs: number): ScreenRow {
  const { moment, awaySince } = state;
  if (awaySince !== null) {
    const text = ` The daemon is away for ${age(new Date(awaySince).toISOString(), nowMs)}; what is shown is from before. Connecting … `;
    return [{ text, styles: ["bold", "red"] }];
  }
  if (moment === null) return [dim("claw top  connecting …")];
  const waiting = itemsOf(state).filter(({ kind }) => kind === "need").length;
  const needs: Span =
    waiting === 0 ? dim("nothing needs you") : { text: `${waiting} need you`, styles: ["bold", "yellow"] };
  const facts = `${plural(listedIn(moment).length, "worker")}  ${spentIn(listedIn(moment))} spent  ${localHour(moment.ts)}`;
  return [{ text: "claw top", styles: ["bold"] }, { text: "  " }, needs, dim(`  ${facts}`)];
}

const NEED_WORDS: Readonly<Record<string, string>> = {
  approval: "asks",
  question: "asks",
  alert: "alert",
  failed_checks: "checks",
  budget: "budget",
  report: "report",
};
const NEED_STYLES: Readonly<Record<string, readonly Style[]>> = {
  approval: ["bold", "yellow"],
  question: ["bold", "yellow"],
  alert: ["red"],
  failed_checks: ["red"],
  budget: ["red"],
  report: ["green"],
};

const STATE_COLUMNS = 12;
const AGE_COLUMNS = 5;
const WHEN_COLUMNS = 11;
/** From this width on there is room for the phase and for longer names. */
const WIDE_COLUMNS = 120;
/** Columns of names and of amounts, from each width of the terminal on. */
const ROOM = [
  { from: 160, names: 44, money: 24 },
  { from: WIDE_COLUMNS, names: 28, money: 20 },
  { from: 0, names: 18, money: 15 },
] as const;
const PHASE_COLUMNS = 9;

const cell = (text: string, columns: number): string =>
  `${padToWidth(cutToWidth(printableLine(text), columns), columns)} `;

const roomIn = ({ columns }: TopRoom): (typeof ROOM)[number] => ROOM.find(({ from }) => columns >= from) ?? ROOM[2];

/** Rows of a list are cut by the screen, apart from the last cell, which says that it is cut. */
function lastCell(text: string, before: string, { columns }: TopRoom): string {
  return cutToWidth(oneLine(printableLine(text)), Math.max(1, columns - textWidth(before) - 2));
}

function needRow({ need }: TopItem & { kind: "need" }, size: TopRoom, nowMs: number): ScreenRow {
  const { kind, name, text, since, deadline } = need;
  const when = deadline === null ? age(since, nowMs) : `${timeLeft(deadline, nowMs)} left`;
  const [first, second, third] = [
    cell(name, roomIn(size).names),
    cell(NEED_WORDS[kind] ?? kind, STATE_COLUMNS),
    cell(when, WHEN_COLUMNS),
  ];
  return [
    { text: first },
    { text: second, styles: NEED_STYLES[kind] ?? [] },
    dim(third),
    { text: lastCell(text, first + second + third, size) },
  ];
}

/** Cost of a worker, with the limit of the worker's budget; in a narrow terminal with a stroke between both. */
function moneyCell(worker: WorkerView, { budgets }: TopMoment, isWide: boolean): string {
  const budget = budgets.find(({ scope, id }) => scope === "worker" && id === worker.peer_id);
  const spent = costCell(worker);
  if (budget === undefined) return spent;
  const { usd, tokens } = budget.limit;
  const of = isWide ? " of " : "/";
  if (usd !== undefined) return `${spent === "" ? "$0" : spent}${of}${amountText(usd, "usd")}`;
  return tokens === undefined ? spent : `${budget.spent.tokens}${of}${amountText(tokens, "tokens")}`;
}

function workerRow({ worker, depth }: PlacedWorker, { moment, size, nowMs }: Drawing): ScreenRow {
  const indent = depth === 0 ? "" : `${"  ".repeat(Math.min(depth, 4) - 1)}└ `;
  const isWide = size.columns >= WIDE_COLUMNS;
  const { names, money: moneyColumns } = roomIn(size);
  const first = cell(`${indent}${worker.name}`, names);
  const state = cell(worker.state, STATE_COLUMNS);
  const phase = isWide ? cell(worker.phase ?? "", PHASE_COLUMNS) : "";
  const since = cell(age(worker.as_of, nowMs), AGE_COLUMNS);
  const money = cell(moneyCell(worker, moment, isWide), moneyColumns);
  return [
    { text: first },
    { text: state, styles: STATE_STYLES[worker.state] },
    dim(phase + since),
    { text: money },
    { text: lastCell(doingCell(worker), first + state + phase + since + money, size) },
  ];
}

interface Drawing {
  readonly moment: TopMoment;
  readonly size: TopRoom;
  readonly nowMs: number;
}

interface ListRow {
  readonly key?: string;
  readonly row: ScreenRow;
}

function listRows(state: TopState, drawing: Drawing): readonly ListRow[] {
  const { size, nowMs, moment } = drawing;
  const selected = selectedItem(state)?.key;
  const line = (item: TopItem): ListRow => {
    const isSelected = item.key === selected;
    const mark: Span = { text: isSelected ? "> " : "  ", styles: isSelected ? ["bold", "cyan"] : [] };
    const row = item.kind === "need" ? needRow(item, size, nowMs) : workerRow(item.placed, drawing);
    const shown = isSelected
      ? row.map(({ text, styles = [] }) => ({ text, styles: ["bold" as const, ...styles] }))
      : row;
    return { key: item.key, row: [mark, ...shown] };
  };
  const items = itemsOf(state);
  const needs = items.filter(({ kind }) => kind === "need").map(line);
  const workers = items.filter(({ kind }) => kind === "worker").map(line);
  const unlisted = moment.hidden + moment.workers.length - workers.length;
  const hidden = unlisted === 0 ? "" : `; ${plural(unlisted, "ended one")} not shown`;
  return [
    ...(needs.length === 0 ? [] : [{ row: [dim("Needs you")] }, ...needs, { row: [] }]),
    { row: [dim(workers.length === 0 ? `No workers${hidden}. Start one: claw spawn` : `Workers${hidden}`)] },
    ...workers,
    ...outerBudgets(moment).map((row) => ({ row })),
  ];
}

/** Budgets of fleets, the day and the workspace. */
function outerBudgets({ budgets }: TopMoment): readonly ScreenRow[] {
  const outer = budgets.filter(({ scope }) => scope === "fleet" || scope === "day" || scope === "workspace");
  const rows = outer.map(({ scope, id, spent, limit, exceeded }): ScreenRow => {
    const amounts = (["usd", "tokens"] as const).flatMap((unit) => {
      const most = limit[unit];
      return most === undefined ? [] : [`${amountText(spent[unit], unit)} of ${amountText(most, unit)}`];
    });
    const text = `  ${[scope, id ?? ""].join(" ").trim()}: ${amounts.join(", ")}`;
    return [{ text: printableLine(text), styles: exceeded.length > 0 ? ["red"] : [] }];
  });
  return rows.length === 0 ? [] : [[], [dim("Budgets")], ...rows];
}

/** As many rows as fit, with the selected one in the middle where the list is longer. */
function window(rows: readonly ListRow[], selected: string | undefined, room: number): readonly ScreenRow[] {
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key !== undefined && key === selected),
  );
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
  return rows.slice(from, from + room).map(({ row }) => row);
}

function pageRows({ rowsAt, from, follows }: TextPage, { columns, rows: room }: TopRoom): readonly ScreenRow[] {
  const rows = rowsAt(columns);
  const start = follows ? Math.max(0, rows.length - room) : from;
  return rows.slice(start, start + room);
}

/** The whole screen. */
export function topRows(state: TopState, size: TopRoom, nowMs: number): readonly ScreenRow[] {
  const { moment, page, question, message } = state;
  const room = roomOf(size);
  const head = page === null ? headRow(state, nowMs) : [{ text: printableLine(page.title), styles: ["bold" as const] }];
  const listed =
    moment === null ? [] : window(listRows(state, { moment, size, nowMs }), selectedItem(state)?.key, room.rows);
  const body = page === null ? listed : pageRows(page, room);
  const blank = Array.from({ length: Math.max(0, room.rows - body.length) }, (): ScreenRow => []);
  const foot: ScreenRow =
    question === null ? [{ text: message }] : [{ text: `${question.text} [y/N]`, styles: ["bold", "yellow"] }];
  const frame = [page !== null && state.awaySince !== null ? headRow(state, nowMs) : head, ...body, ...blank, foot];
  return [...frame, [dim(page?.keys ?? LIST_KEYS)]].slice(0, Math.max(1, size.rows));
}
