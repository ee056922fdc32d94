import type { ReceivedReply, VerbOutput } from "claw-contract";

type Token = VerbOutput<"tokens list">["tokens"][number];

/** A token of the wire as claw spells it. */
export const tokenEntryOf = ({
  tokenId,
  role,
  peer,
  browser,
  createdAt,
  expiresAt,
}: ReceivedReply<"token.list">["tokens"][number]): Token => ({
  token_id: tokenId,
  role,
  peer,
  browser,
  created_at: new Date(createdAt).toISOString(),
  expires_at: new Date(expiresAt).toISOString(),
});
