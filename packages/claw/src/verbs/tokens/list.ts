import { handle } from "../runtime/handle.ts";
import { openObserver } from "../bus/open-bus.ts";
import { table } from "../text/text-layout.ts";
import { tokenEntryOf } from "./token-entry.ts";

export const handler = handle("tokens list", {
  run: async (_input, ports) => {
    const bus = await openObserver(ports);
    try {
      const { tokens: issued } = await bus.request("token.list");
      const tokens = issued.map(tokenEntryOf);
      return { tokens_count: tokens.length, tokens };
    } finally {
      await bus.close();
    }
  },
  show: ({ tokens }, paint) => {
    if (tokens.length === 0) return "No tokens. Make one with claw tokens create.";
    const rows = tokens.map(({ token_id, role, peer, expires_at }) => [token_id, role, peer ?? "", expires_at]);
    return table(["TOKEN", "ROLE", "PEER", "EXPIRES"], rows, paint);
  },
});
