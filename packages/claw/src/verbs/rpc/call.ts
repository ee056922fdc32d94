import { ClawError, LIMITS, objectOf } from "claw-contract";
import { onBus, peerIdOf } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { readJson } from "../bus/read-json.ts";

export const handler = handle("rpc call", {
  run: ({ worker, method, params, dryRun }, ports) => {
    // The bus refuses parameters that are no object.
    const given = readJson(params, "PARAMS", '{"path":"src"}') as Readonly<Record<string, unknown>>;
    return onBus(ports, async (bus) => {
      const peerId = await peerIdOf(bus, worker);
      const about = { peer_id: peerId, method };
      if (dryRun) return { ...about, answer: null, effect: "would_update", would_affect: [`rpc.${peerId}.request`] };
      const { timeoutSeconds } = ports;
      const timeoutMs = timeoutSeconds === null ? LIMITS.rpcTimeoutMs : Math.max(1, timeoutSeconds * 1000);
      const reply = await bus.request("rpc.call", { targetPeerId: peerId, method, params: given, timeoutMs });
      const { ok, result, error } = objectOf(reply.result);
      if (ok !== false) return { ...about, answer: result ?? null, effect: "updated" };
      throw new ClawError("RPC_FAILED", `${worker} refused ${method}: ${String(error)}`, {
        operation: "rpc",
        target: worker,
      });
    });
  },
  show: ({ answer, peer_id, effect }) =>
    effect === "would_update" ? `Would ask ${peer_id}` : JSON.stringify(answer, null, 2),
});
