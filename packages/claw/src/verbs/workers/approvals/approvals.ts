import { oneLine } from "claw-contract";
import type { ListedApproval } from "./approval-list.ts";
import { askApprovals, needsChoice } from "./approval-list.ts";
import { approvalText, statusText } from "./approval-text.ts";
import { timeLeft } from "../../text/times.ts";
import { handle } from "../../runtime/handle.ts";
import { table } from "../../text/text-layout.ts";
import { watchBus } from "../../bus/ask-bus.ts";

const rowOf = (entry: ListedApproval, nowMs: number): string[] => [
  entry.approval_id,
  entry.worker,
  entry.status === "open" ? timeLeft(entry.deadline, nowMs) : statusText(entry),
  oneLine(entry.message),
];

const isOf = ({ peer_id: id, worker: name }: ListedApproval, worker: string): boolean =>
  worker === id || worker === name;

export const handler = handle("approvals", {
  run: async ({ all, worker }, ports) => {
    return watchBus(ports, async (bus) => {
      const approvals = (await askApprovals(bus, all)).filter((each) => worker === undefined || isOf(each, worker));
      return { approvals_count: approvals.length, approvals };
    });
  },
  show: ({ approvals }, paint) => {
    if (approvals.length === 0) return "No worker asks anything.";
    const rows = approvals.map((entry) => rowOf(entry, Date.now()));
    const open = approvals.filter(({ status }) => status === "open");
    const details = open.map((entry) => approvalText(entry, paint));
    const approve = open.some(needsChoice) ? "claw approve ID --choose OPTION" : "claw approve ID";
    const how = open.length === 0 ? [] : [`Answer with ${paint.cyan(approve)} or ${paint.cyan("claw reject ID")}`];
    return [table(["ID", "WORKER", "EXPIRES", "WHAT"], rows, paint), ...details, ...how].join("\n\n");
  },
});
