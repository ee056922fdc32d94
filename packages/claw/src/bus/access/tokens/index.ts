export type { SignedHello } from "./signed-hello.ts";
export { createSignedHello, openSignedHello } from "./signed-hello.ts";
export { readSignedClaim, signClaim } from "./signature.ts";
export type { IssuedToken } from "./issued-tokens.ts";
export type { Grant, TokenReading, TokenRequest, TokenStore, TokenUser, TokenVerdict } from "./token-store.ts";
export { createTokenStore, openTokenStore } from "./token-store.ts";
