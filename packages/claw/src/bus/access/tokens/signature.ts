import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export const sign = (secret: Uint8Array, text: string): Buffer => createHmac("sha256", secret).update(text).digest();

/** Compares without telling by its duration where two secrets differ. */
export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  const digest = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** A claim with its signature: `<prefix>.<claim>.<signature>`, safe in headers and addresses. */
export function signClaim(secret: Uint8Array, prefix: string, claim: unknown): string {
  const head = `${prefix}.${Buffer.from(JSON.stringify(claim)).toString("base64url")}`;
  return `${head}.${sign(secret, head).toString("base64url")}`;
}

/** The claim of a signed text; undefined when it was not signed here, with this prefix. */
export function readSignedClaim(secret: Uint8Array, prefix: string, text: string): unknown {
  const [own, claim, signature, ...rest] = text.split(".");
  if (own !== prefix || claim === undefined || signature === undefined || rest.length > 0) return undefined;
  const expected = sign(secret, `${prefix}.${claim}`);
  if (!isSame(Buffer.from(signature), Buffer.from(expected.toString("base64url")))) return undefined;
  return JSON.parse(Buffer.from(claim, "base64url").toString());
}
