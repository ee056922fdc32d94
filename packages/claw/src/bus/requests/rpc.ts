import type { ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { CallOutcome } from "../peers/calls.ts";
import type { RequestOutcome } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

function resultOf(requestId: string, outcome: CallOutcome): RequestOutcome<ReplyFields<"rpc.call">> {
  if (outcome.kind === "answered") return ok({ requestId, result: outcome.answer });
  return outcome.kind === "timeout"
    ? error("rpc.call:timeout", { requestId, code: "TIMEOUT", message: "the peer did not answer in time" })
    : error("rpc.call:target-disconnected", {
        requestId,
        code: "RPC_FAILED",
        message: "the peer left before it answered",
      });
}

/** Passes a call on to another peer, and answers with that peer's answer. Calls are not stored in the log. */
export const handleCallPeer = handleRequest("rpc.call", ({ context, peer, request }, done) => {
  const { targetPeerId, method, params } = request;
  const target = context.peers.get(targetPeerId);
  if (target === undefined) {
    return done(
      error(`rpc.call:target-not-found:${targetPeerId}`, {
        code: "WORKER_NOT_FOUND",
        message: `no peer is called ${targetPeerId}`,
      }),
    );
  }
  const requestId = crypto.randomUUID();
  const timeoutMs = Math.min(Math.max(request.timeoutMs ?? LIMITS.rpcTimeoutMs, 1), LIMITS.rpcTimeoutMaxMs);
  const opened = context.calls.open({
    requestId,
    callerId: peer.id,
    calleeId: target.id,
    dueAt: context.now() + timeoutMs,
    settle: (outcome) => done(resultOf(requestId, outcome)),
  });
  if (!opened) return done(error("rpc.call:overflow"));
  const payload = { requestId, method, params, callerPeerId: peer.id };
  const sent = context.direct.send(target, { topic: `rpc.${target.id}.request`, from: peer.id, payload });
  if (sent) return undefined;
  context.calls.cancel(requestId);
  return done(error("rpc.call:overflow"));
});
