import { readFileSync } from "node:fs";
import { LIMITS } from "claw-contract";
import { unlessRefused } from "../../../files/index.ts";
import type { WireRequest } from "../../wire/wire.ts";
import { isSame, sign } from "./signature.ts";

export type SignedHelloReading = "signed" | "missing" | "invalid";

/** Checks the old wire's own proof: a hello signed with a shared secret, its nonce used once. */
export interface SignedHello {
  check(request: WireRequest): SignedHelloReading;
}

/**
 * A nonce is remembered as long as its time would be accepted. `secret` gives undefined when the secret cannot be read.
 */
export function createSignedHello(secret: () => string | undefined, now: () => number): SignedHello {
  const nonces = new Map<string, number>();
  const isFresh = (nonce: string, nowMs: number): boolean => {
    for (const [old, until] of nonces) {
      if (until > nowMs) break;
      nonces.delete(old);
    }
    return !nonces.has(nonce) && nonces.size < LIMITS.usedTokens;
  };
  return {
    check: (request) => {
      const { token, nonce, timestamp, role, peerName = "unnamed" } = request;
      if (token === undefined || nonce === undefined || timestamp === undefined) return "missing";
      const key = secret();
      if (key === undefined || key === "" || typeof token !== "string" || typeof nonce !== "string") return "invalid";
      const nowMs = now();
      const ageMs = nowMs - Number(timestamp);
      if (!(ageMs >= 0 && ageMs <= LIMITS.signedHelloMs) || !isFresh(nonce, nowMs)) return "invalid";
      const expected = sign(Buffer.from(key), `${String(peerName)}:${String(role)}:${nonce}:${String(timestamp)}`);
      if (!isSame(Buffer.from(token), Buffer.from(expected.toString("hex")))) return "invalid";
      nonces.set(nonce, nowMs + LIMITS.signedHelloMs + 1);
      return "signed";
    },
  };
}

/**
 * Checks hellos that are signed with the secret in a file. The file is read each time, so the secret can change. With
 * an unreadable file, every hello is refused.
 */
export function openSignedHello(path: string, now: () => number): SignedHello {
  const read = (): string | undefined => {
    return unlessRefused(() => readFileSync(path, "utf8").trim());
  };
  return createSignedHello(read, now);
}
