import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import { tokenEntryOf } from "./token-entry.ts";
import { watchBus } from "../bus/ask-bus.ts";

export const handler = handle("tokens list", {
  run: async (_input, ports) => {
    return watchBus(ports, async (bus) => {
      const { tokens: issued } = await bus.request("token.list");
      const tokens = issued.map(tokenEntryOf);
      return { tokens_count: tokens.length, tokens };
    });
  },
  show: ({ tokens }, paint) => {
    if (tokens.length === 0) return "No tokens. Make one with claw tokens create.";
    const rows = tokens.map(({ token_id, role, peer, browser, expires_at }) => [
      token_id,
      role,
      peer ?? browser ?? "",
      expires_at,
    ]);
    return table(["TOKEN", "ROLE", "PEER OR BROWSER", "EXPIRES"], rows, paint);
  },
});
