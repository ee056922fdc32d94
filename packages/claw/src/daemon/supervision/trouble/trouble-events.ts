import type { OpenTrouble, TroubleStep } from "claw-contract";
import { isoTime } from "claw-contract";
import type { ServerEvent } from "../../../bus/index.ts";

/** Question to a worker that is silent or makes no progress. */
const NUDGE =
  "claw: are you there? Nothing has moved for a while. Say what you are waiting for, or go on with your mission.";

const WHAT: Readonly<Record<string, string>> = {
  stale: "nothing was heard of it for too long",
  hung: "it lives and gets nowhere",
  crash: "its process ended before its work was done",
  failed: "it says that it cannot go on",
  stuck: "it did not react to a nudge",
  crash_loop: "it was started again too often; it stays as it is until a person starts it",
  budget: "it is in trouble, and its budget is spent",
};

export interface Acting {
  readonly peerId: string;
  readonly open: OpenTrouble;
  /** ISO time. */
  readonly ts: string;
}

export type LoggedStep = Exclude<TroubleStep, { kind: "restart" }>;

/**
 * The events of a step: an alert, and for a nudge the command. The alert stands first. When a crash loses the command,
 * the alert's deadline still leads to a call for help; a nudge without an alert in the log would be repeated without
 * end.
 */
export function troubleEvents(step: LoggedStep, { peerId, open, ts }: Acting): ServerEvent[] {
  const about = { peerId, evidence: open.sequence, ts };
  const say = (fields: Readonly<Record<string, unknown>>): ServerEvent => ({
    topic: "system.worker.alert",
    payload: { ...about, ...fields },
  });
  const what = WHAT[open.trouble] ?? open.trouble;
  if (step.kind === "nudge") {
    const due = isoTime(step.dueMs);
    return [
      say({ severity: "warn", trouble: open.trouble, action: "nudge", message: `${what}; it is asked`, due }),
      { topic: `cmd.${peerId}.inject_text`, payload: { text: NUDGE } },
    ];
  }
  if (step.kind === "plan_restart") {
    const due = isoTime(step.dueMs);
    const message = `${what}; it is started anew at ${due}`;
    return [say({ severity: "warn", trouble: open.trouble, action: "restart", message, due })];
  }
  const message = WHAT[step.trouble] ?? what;
  return [say({ severity: "error", trouble: step.trouble, action: "alert", message, due: null })];
}

/** Why a worker is started anew, for the log and for the worker. */
export const restartReason = ({ trouble }: OpenTrouble): string => WHAT[trouble] ?? trouble;
