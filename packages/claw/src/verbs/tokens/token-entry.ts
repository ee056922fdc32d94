import type { VerbOutput } from "@claw/contract";

export interface WireToken {
  readonly tokenId: string;
  readonly role: "orchestrator" | "worker" | "observer";
  readonly peer: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type TokenEntry = VerbOutput<"tokens list">["tokens"][number];

/** A token of the wire as claw spells it. */
export const entryOf = ({ tokenId, role, peer, createdAt, expiresAt }: WireToken): TokenEntry => ({
  token_id: tokenId,
  role,
  peer,
  created_at: new Date(createdAt).toISOString(),
  expires_at: new Date(expiresAt).toISOString(),
});
