import type { JsonObject } from "claw-contract";
import { cutChars } from "claw-contract";
import { standingOf } from "../../../verbs/index.ts";
import type { Task } from "../../layer/tasks/task.ts";
import type { TicketData } from "../tools/outcome-data.ts";
import { ticketData } from "../tools/outcome-data.ts";
import { approvalForm } from "./approval-form.ts";

/** Interval in which a client asks for a task: a tenth of the task's age, between these two. */
const POLL_LEAST_MS = 1000;
const POLL_MOST_MS = 10_000;
const AGE_SHARE = 10;

const STATUS_CHARS = 500;

export interface TaskSight {
  readonly nowMs: number;
  /** Whether the client can show forms. Without forms, a person answers elsewhere, and the task goes on working. */
  readonly forms: boolean;
}

export const pollIntervalMs = (ageMs: number): number =>
  Math.round(Math.min(POLL_MOST_MS, Math.max(POLL_LEAST_MS, ageMs / AGE_SHARE)));

function statusOf({ status, approvals }: TicketData, { forms }: TaskSight): Task["status"] {
  if (status === "closed") return "completed";
  if (status === "cancelled") return "cancelled";
  return forms && approvals.length > 0 ? "input_required" : "working";
}

/** States of the workers, and the reason why the last answer did not count. */
function messageOf({ workers, answers, approvals }: TicketData): string {
  const last = answers.at(-1);
  const standing = workers.map(standingOf).join(" · ");
  const questions = approvals.map(({ approvalId, worker, message }) => `${approvalId}: ${worker} asks: ${message}`);
  const open = last?.outcome === "left_open" ? ["answer with claws_answer"] : [];
  const note = last === undefined || last.outcome === "counted" ? [] : [last.note, ...open];
  return cutChars([standing, ...questions, ...note].join("; "), STATUS_CHARS);
}

/** The result of the call, as the protocol writes a result that stands alone. */
const resultOf = (view: TicketData): JsonObject => {
  const data = ticketData(view);
  return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data, resultType: "complete" };
};

/** A ticket as the protocol's task. Pure. */
export function taskOfTicket(taskId: string, view: TicketData, sight: TaskSight): Task {
  const { opened, updated, ttlMs, approvals } = view;
  const status = statusOf(view, sight);
  const asked = approvals.map((approval) => [approval.approvalId, approvalForm(approval)] as const);
  return {
    taskId,
    status,
    statusMessage: messageOf(view),
    createdAt: opened,
    lastUpdatedAt: updated,
    ttlMs,
    pollIntervalMs: pollIntervalMs(sight.nowMs - Date.parse(opened)),
    ...(status === "input_required" ? { inputRequests: Object.fromEntries(asked) } : {}),
    ...(status === "completed" ? { result: resultOf(view) } : {}),
  };
}
