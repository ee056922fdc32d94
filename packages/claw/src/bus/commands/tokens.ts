import { LIMITS } from "@claw/contract";
import { isRole } from "../peers/peer.ts";
import { numberOf, textOf } from "../wire/read-payload.ts";
import type { IssuedToken } from "../access/tokens/index.ts";
import type { Body, CommandResult } from "./command.ts";
import { error, ok, peerCommand } from "./command.ts";
import { failureOf } from "./terminal-command.ts";

const described = ({ id, role, peer, createdAt, expiresAt }: IssuedToken): Body => ({
  tokenId: id,
  role,
  peer,
  createdAt,
  expiresAt,
});

/** Runs work on the register of tokens. A file error becomes an error answer. */
function attempt(work: () => CommandResult): CommandResult {
  try {
    return work();
  } catch (failure) {
    return failureOf(failure, "");
  }
}

/** Makes a token to give to another client. Only this answer ever holds the token. */
export const createToken = peerCommand(["orchestrator"], ({ context, request }, done) => {
  const { role } = request;
  const peer = textOf(request["peer"]);
  const lifetimeMs = numberOf(request["lifetimeMs"]) ?? LIMITS.tokenLifetimeMs;
  const isLasting = lifetimeMs >= 1 && lifetimeMs <= LIMITS.tokenLifetimeMaxMs;
  if (!isRole(role)) return done(error("token.create:unknown-role"));
  if (!isLasting) return done(error("token.create:invalid-lifetimeMs"));
  return done(
    attempt(() => {
      const made = context.access.tokens.issue({ role, lifetimeMs, ...(peer === undefined ? {} : { peer }) });
      return made === undefined ? error("token.create:too-many") : ok({ token: made.token, ...described(made.about) });
    }),
  );
});

/** Lists the issued tokens that are still valid, without the tokens themselves. */
export const listTokens = peerCommand(["orchestrator", "observer"], ({ context }, done) =>
  done(attempt(() => ok({ tokens: context.access.tokens.issued().map(described) }))),
);

/** Revokes an issued token, and hangs up on the clients that are connected with it. */
export const revokeToken = peerCommand(["orchestrator"], ({ context, request }, done) => {
  const tokenId = String(request["tokenId"]).slice(0, 100);
  return done(
    attempt(() => {
      const revoked = context.access.revoke(tokenId);
      return revoked === undefined
        ? error(`token.revoke:not-found:${tokenId}`, { code: "NO_SUCH_TOKEN" })
        : ok(described(revoked));
    }),
  );
});
