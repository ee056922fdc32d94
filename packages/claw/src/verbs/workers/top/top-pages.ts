import type { WorkerView } from "claw-contract";
import { PLAIN_PAINT } from "../../runtime/paint.ts";
import type { ScreenRow } from "../../runtime/full-screen.ts";
import { pairs } from "../../text/text-layout.ts";
import { localTime, timeLeft } from "../../text/times.ts";
import { approvalOf } from "../approvals/approval-list.ts";
import { approvalText } from "../approvals/approval-text.ts";
import { diffStyle, textRows } from "./page-rows.ts";
import { APPROVAL_KEYS, HELP_ROWS, PAGE_KEYS } from "./top-keys.ts";
import type { TopMoment, MomentApproval } from "./top-list.ts";
import type { TextPage } from "./top-state.ts";
import { fitted } from "./top-state.ts";

const pageOf = (title: string, make: (columns: number) => readonly ScreenRow[]): TextPage => ({
  title,
  rowsAt: fitted(make),
  from: 0,
  follows: false,
  keys: PAGE_KEYS,
});

export const helpPage = (): TextPage => pageOf("Keys of claw top", () => HELP_ROWS);

/** The options of an approval, each with the digit that chooses it. */
const optionLines = ({ options }: MomentApproval): string[] =>
  options.map(({ id, label }, index) => `  ${index + 1}  ${label === undefined ? id : `${id} (${label})`}`);

/** The whole subject of the question. */
export function approvalPage(approval: MomentApproval, nowMs: number): TextPage {
  const { worker, deadline, hash } = approval;
  const left = `${approval.default} by itself in ${timeLeft(deadline, nowMs)}`;
  const options = optionLines(approval);
  const text = [
    approvalText(approvalOf(approval), PLAIN_PAINT),
    `  hash  ${hash}`,
    ...(options.length > 1 ? ["", "Press the number of an option to approve with it:", ...options] : []),
  ].join("\n");
  const make = (columns: number) => textRows(text, columns, (line) => diffStyle(line.trimStart()));
  return { ...pageOf(`${worker} asks: ${left}`, make), approvalId: approval.approvalId, keys: APPROVAL_KEYS };
}

type Fact = readonly [label: string, value: string];

const fact = (label: string, value: string | number | null): Fact[] =>
  value === null || value === "" ? [] : [[label, String(value)]];

function factsOf(worker: WorkerView, { budgets }: TopMoment): readonly Fact[] {
  const { state, reason, source, as_of: since, evidence, phase, harness, mode, model, mission, cwd } = worker;
  const limits = budgets
    .filter(({ id }) => id === worker.peer_id || id?.startsWith(`${worker.peer_id}#`) === true)
    .map(({ scope, limit, spent }) => `${scope}: ${JSON.stringify(spent)} of ${JSON.stringify(limit)}`);
  return [
    ...fact("id", worker.peer_id),
    ...fact("state", `${state}: ${reason}`),
    ...fact("says", `${source}, since ${localTime(since)}${evidence === null ? "" : `, event ${evidence}`}`),
    ...fact("phase", phase),
    ...fact("agent", [harness, mode, model].filter((each) => each !== null).join(", ")),
    ...fact("start", worker.attempt > 1 ? worker.attempt : null),
    ...fact("parent", worker.parent_id),
    ...fact("fleet", worker.fleet),
    ...fact("folder", cwd),
    ...fact("spent", `${worker.tokens} tokens, ${worker.cost_estimated ? "~" : ""}$${worker.cost_usd}`),
    ...limits.flatMap((text) => fact("limit", text)),
    ...fact("doubts", worker.doubts.join(", ")),
    ...fact("mission", mission),
  ];
}

/** All facts about a worker. */
export function workerPage(worker: WorkerView, moment: TopMoment): TextPage {
  const report = moment.reports.find(({ peerId }) => peerId === worker.peer_id);
  const checks = (report?.checks ?? []).map(
    ({ command, passed, output_tail: tail }) =>
      `${passed ? "passed" : "FAILED"}  ${command}${passed ? "" : `\n${tail}`}`,
  );
  const text = [
    pairs(factsOf(worker, moment), PLAIN_PAINT),
    ...(report === undefined ? [] : ["", `Report (${report.completion}): ${report.summary}`, ...checks]),
  ].join("\n");
  const styleOf = (line: string) => (line.startsWith("FAILED") ? (["red"] as const) : []);
  return pageOf(worker.name, (columns) => textRows(text, columns, styleOf));
}

export const diffPage = (name: string, text: string): TextPage =>
  pageOf(`Changes of ${name}`, (columns) => textRows(text, columns, diffStyle));

/** The log of a worker, which goes on. */
export const logPage = (worker: WorkerView, make: (columns: number) => readonly ScreenRow[]): TextPage => ({
  ...pageOf(`Log of ${worker.name}`, make),
  follows: true,
  logOf: worker.peer_id,
});
