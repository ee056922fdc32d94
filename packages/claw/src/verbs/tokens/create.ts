import { UNIT_MS } from "../bus/read-since.ts";
import { ClawError, LIMITS } from "claw-contract";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "../bus/open-bus.ts";
import { tokenEntryOf } from "./token-entry.ts";
import { onBus } from "../bus/ask-bus.ts";

/** How long `12h` is, in milliseconds. Throws INVALID_FLAG_VALUE when no token may hold that long. */
export function lifetimeOf(text: string): number {
  const lifetimeMs = Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? Number.NaN);
  if (lifetimeMs >= 1 && lifetimeMs <= LIMITS.tokenLifetimeMaxMs) return lifetimeMs;
  const days = LIMITS.tokenLifetimeMaxMs / 86_400_000;
  throw new ClawError("INVALID_FLAG_VALUE", `--expires must be at most ${days}d, not '${text}'`, {
    operation: "parse_arguments",
    target: "--expires",
    hint: `Give --expires at most ${days}d; make another token before the first one ends.`,
  });
}

export const handler = handle("tokens create", {
  run: async ({ role, peer, expires, dryRun }, ports) => {
    const lifetimeMs = lifetimeOf(expires);
    if (dryRun) {
      requireDaemon(ports);
      const expiresAt = new Date(Date.now() + lifetimeMs).toISOString();
      const preview = { token: null, role, peer: peer ?? null, browser: null, expires_at: expiresAt };
      return { ...preview, effect: "would_create", would_affect: [] };
    }
    return onBus(ports, async (bus) => {
      const reply = await bus.request("token.create", { role, lifetimeMs, ...(peer === undefined ? {} : { peer }) });
      const entry = tokenEntryOf(reply);
      const bearer = peer === undefined ? `a client that is an ${role}` : `${peer}, as ${role}`;
      ports.announce(`Token ${entry.token_id} for ${bearer}, until ${entry.expires_at}. It is shown this once:`);
      return { token: reply.token, ...entry, effect: "created" };
    });
  },
  show: ({ token, role, effect }) => {
    if (effect === "would_create") return `Would make a token for the role ${role}`;
    return token ?? "The token was shown when it was made, and is kept nowhere.";
  },
});
