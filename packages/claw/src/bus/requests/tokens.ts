import type { ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { IssuedToken } from "../access/tokens/index.ts";
import { terminalFailureOf } from "./terminals/on-terminal.ts";
import type { RequestOutcome } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

const described = ({ id, role, peer, browser, createdAt, expiresAt }: IssuedToken): ReplyFields<"token.revoke"> => ({
  tokenId: id,
  role,
  peer,
  browser,
  createdAt,
  expiresAt,
});

/** Runs work on the register of tokens. A file error becomes an error answer. */
function attempt<Reply extends object>(work: () => RequestOutcome<Reply>): RequestOutcome<Reply> {
  try {
    return work();
  } catch (failure) {
    return terminalFailureOf(failure, "");
  }
}

/** Makes a token to give to another client. Only this answer ever holds the token. */
export const handleCreateToken = handleRequest("token.create", ({ context, request }, done) => {
  const { role, peer, lifetimeMs = LIMITS.tokenLifetimeMs } = request;
  const isLasting = lifetimeMs >= 1 && lifetimeMs <= LIMITS.tokenLifetimeMaxMs;
  if (!isLasting) return done(error("token.create:invalid-lifetimeMs"));
  return done(
    attempt(() => {
      const made = context.access.tokens.issue({ role, lifetimeMs, ...(peer === undefined ? {} : { peer }) });
      return made === undefined ? error("token.create:too-many") : ok({ token: made.token, ...described(made.about) });
    }),
  );
});

/** Lists the issued tokens that are still valid, without the tokens themselves. */
export const handleListTokens = handleRequest("token.list", ({ context }, done) =>
  done(attempt(() => ok({ tokens: context.access.tokens.issued().map(described) }))),
);

/** Revokes an issued token, and hangs up on the clients that are connected with it. */
export const handleRevokeToken = handleRequest("token.revoke", ({ context, request }, done) => {
  const tokenId = String(request.tokenId).slice(0, 100);
  return done(
    attempt(() => {
      const revoked = context.access.revoke(tokenId);
      return revoked === undefined
        ? error(`token.revoke:not-found:${tokenId}`, { code: "NO_SUCH_TOKEN" })
        : ok(described(revoked));
    }),
  );
});
