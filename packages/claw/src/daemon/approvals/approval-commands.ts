import type { Answered, ApprovalRecord } from "@claw/contract";
import { chooseOption, LIMITS } from "@claw/contract";
import type { BusHost, CommandResult, PeerHandler, PeerRequest } from "../../bus/index.ts";
import { ANYBODY, error, handlePeers, ok, storageCode, textOf, WRITE_FAILED } from "../../bus/index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import type { ApprovalMemory } from "./approval-memory.ts";
import { notFound } from "./claims.ts";

export interface CommandDeps {
  readonly host: BusHost;
  readonly memory: ApprovalMemory;
  readonly desk: ApprovalDesk;
  readonly fleet: Pick<Fleet, "get">;
}

/** An approval as replies show it to every peer. */
function viewOf({ opened, outcome }: ApprovalRecord, fleet: CommandDeps["fleet"]): Record<string, unknown> {
  const worker = fleet.get(opened.peerId);
  const status = outcome === null ? "open" : outcome.kind;
  return { ...opened, worker: worker?.name ?? opened.peerId, status, outcome };
}

/** Open approvals, with `all` also closed approvals, oldest first. Beyond the size limit, subjects are left out. */
function list({ memory, fleet }: CommandDeps, isAll: boolean): CommandResult {
  let room: number = LIMITS.approvalListChars;
  const views = (isAll ? memory.all() : memory.open()).map((record) => {
    const view = viewOf(record, fleet);
    room -= JSON.stringify(view).length;
    return room >= 0 ? view : { ...view, subject: { left_out: true }, cut: true };
  });
  return ok({ approvals: views });
}

/** The first valid answer counts; the same peer may give the same answer again. */
function answer(
  { host, memory, desk, fleet }: CommandDeps,
  call: PeerRequest,
  done: (result: CommandResult) => void,
): void {
  const { peer, request } = call;
  const { decision } = request;
  const approvalId = textOf(request["approvalId"]);
  if (approvalId === undefined) return done(error("approvalId required"));
  if (decision !== "approve" && decision !== "reject") return done(error("decision has to be approve or reject"));
  const record = memory.get(approvalId);
  const chosen = textOf(request["chosen"]);
  if (record === undefined) return done(error(notFound(approvalId).error, notFound(approvalId).more));
  if (isRepeated(record, { by: peer.id, decision, chosen })) {
    return done(ok({ approval: viewOf(record, fleet), duplicate: true }));
  }
  const refusal = desk.refuse(record);
  if (refusal !== undefined) return done(error(refusal.error, refusal.more));
  const choice = chooseOption({ ...record.opened, decision, chosen });
  if (choice.kind !== "chosen") return done(error(choice.reason, { code: "PUBLISH_INVALID" }));
  const capped = decision === "approve" ? host.budget.refuse(peer.id, "approve", record.opened.peerId) : undefined;
  if (capped !== undefined) return done(error(capped, { code: "BUDGET_EXCEEDED" }));
  const reason = textOf(request["reason"])?.slice(0, LIMITS.approvalMessageChars) ?? null;
  const answered: Answered = {
    decision,
    chosen: choice.chosen,
    reason,
    by: peer.id,
    rule: null,
    ts: host.timestamp(),
  };
  return desk.answer(record, answered, (failure) =>
    done(
      failure === undefined
        ? ok({ approval: viewOf(memory.get(approvalId) ?? record, fleet), duplicate: false })
        : error(WRITE_FAILED, storageCode(failure)),
    ),
  );
}

function isRepeated(
  { outcome }: ApprovalRecord,
  { by, decision, chosen }: { by: string; decision: string; chosen: string | undefined },
): boolean {
  if (outcome?.kind !== "answered" || outcome.by !== by || outcome.decision !== decision) return false;
  return chosen === undefined || chosen === outcome.chosen;
}

export const approvalCommands = (deps: CommandDeps): Record<string, PeerHandler> => ({
  "approval.list": handlePeers(ANYBODY, ({ request }, done) => done(list(deps, request["all"] === true))),
  "approval.answer": handlePeers(["orchestrator"], (call, done) => answer(deps, call, done)),
});
