import type { VerbOutput } from "claw-contract";
import { firstChars } from "claw-contract";

type Worker = VerbOutput<"ps">["workers"][number];

const MISSION_CHARS = 200;
const REASON_CHARS = 300;

/** A worker as tools show it: what a lead decides by, in few words. */
export function workerRow(worker: Worker) {
  const { peer_id: id, name, state, reason, harness, completion, cost_usd, cost_estimated, approvals } = worker;
  const { fleet, mission, ended, worktree, doubts, parent_id, machine } = worker;
  return {
    id,
    name,
    state,
    reason: firstChars(reason, REASON_CHARS),
    ended,
    harness,
    completion,
    cost_usd,
    ...(cost_estimated ? { cost_estimated } : {}),
    ...(approvals.length === 0 ? {} : { approvals }),
    ...(machine === undefined ? {} : { machine }),
    ...(fleet === null ? {} : { fleet }),
    ...(parent_id === null ? {} : { parent: parent_id }),
    ...(mission === null ? {} : { mission: firstChars(mission, MISSION_CHARS) }),
    ...(worktree === null ? {} : { worktree: worktree["path"] ?? null, branch: worktree["branch"] ?? null }),
    ...(doubts.length === 0 ? {} : { doubts }),
  };
}
