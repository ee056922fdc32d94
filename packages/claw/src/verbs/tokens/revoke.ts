import { ClawError } from "claw-contract";
import { handle } from "../runtime/handle.ts";
import { plural } from "../text/text-layout.ts";
import { tokenEntryOf } from "./token-entry.ts";
import { onBus } from "../bus/ask-bus.ts";

export const handler = handle("tokens revoke", {
  run: async ({ tokenOrPeer, dryRun }, ports) => {
    return onBus(ports, async (bus) => {
      const { tokens } = await bus.request("token.list");
      const meant = tokens
        .map(tokenEntryOf)
        .filter(({ token_id, peer }) => token_id === tokenOrPeer || peer === tokenOrPeer);
      if (meant.length === 0) {
        throw new ClawError("NO_SUCH_TOKEN", `no valid token has the id '${tokenOrPeer}' or belongs to that peer`, {
          operation: "find_token",
          target: tokenOrPeer,
        });
      }
      if (!dryRun) for (const { token_id } of meant) await bus.request("token.revoke", { tokenId: token_id });
      const effect = dryRun ? "would_delete" : "deleted";
      return { revoked_count: meant.length, revoked: meant, effect, ...(dryRun ? { would_affect: [] } : {}) };
    });
  },
  show: ({ revoked_count, effect }) =>
    `${effect === "would_delete" ? "Would revoke" : "Revoked"} ${plural(revoked_count, "token")}`,
});
