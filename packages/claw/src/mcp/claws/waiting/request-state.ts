import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "claw-contract";
import { canonicalJson, isObject, parseJson } from "claw-contract";

const PREFIX = "state1";
const KEY_BYTES = 32;
const NONCE_BYTES = 16;

/** How long a client may take to answer. */
const STATE_MS = 60 * 60 * 1000;

/** States that were used and have not expired. Beyond the limit, the oldest is forgotten; it expires first. */
const MAX_USED = 10_000;

/** Longer texts are no state of ours. */
const STATE_CHARS = 64 * 1024;

/** The call that a state belongs to: no other call can use it. */
export interface StateBinding {
  readonly caller: string;
  readonly tool: string;
  readonly input: JsonObject;
}

/** Signs what a client carries from one round of a call to the next. */
export interface RequestStates {
  sign(payload: JsonObject, binding: StateBinding): string;
  /**
   * The payload of a state, once. Undefined for a state that was not signed here, is over its time, was used before, or
   * belongs to another caller or call.
   */
  take(state: string, binding: StateBinding): JsonObject | undefined;
}

const digestOf = ({ caller, tool, input }: StateBinding): string =>
  createHash("sha256")
    .update(canonicalJson([caller, tool, input]))
    .digest("base64url");

function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** The key of request states, made from the secret that signs tokens. No token is a state, and no state a token. */
export const stateKey = (secret: Uint8Array): Uint8Array =>
  createHmac("sha256", secret).update("claw mcp request states").digest();

/** States that were used, until they are over; forgotten when the process ends. */
function createUsed(now: () => number): (nonce: string, until: number) => boolean {
  const used = new Map<string, number>();
  return (nonce, until) => {
    for (const [old, over] of used) if (over <= now()) used.delete(old);
    if (used.has(nonce)) return false;
    used.set(nonce, until);
    const [oldest] = used.keys();
    if (used.size > MAX_USED && oldest !== undefined) used.delete(oldest);
    return true;
  };
}

/** What signs states and remembers which were used. */
export interface StateKeys {
  readonly key: Uint8Array;
  /** Marks a state as used until a time. False when it was used before. */
  readonly use: (nonce: string, until: number) => boolean;
}

/**
 * Keys of a caller that is a process: they end with it, so a state of an earlier process counts as forged, and no state
 * can be used again after a restart.
 */
const processKeys = (now: () => number): StateKeys => ({ key: randomBytes(KEY_BYTES), use: createUsed(now) });

export function createRequestStates(now: () => number, { key, use } = processKeys(now)): RequestStates {
  const sealOf = (head: string): string => createHmac("sha256", key).update(head).digest("base64url");
  return {
    sign: (payload, binding) => {
      const nonce = randomBytes(NONCE_BYTES).toString("base64url");
      const claim = { payload, nonce, until: now() + STATE_MS, of: digestOf(binding) };
      const head = `${PREFIX}.${Buffer.from(JSON.stringify(claim)).toString("base64url")}`;
      return `${head}.${sealOf(head)}`;
    },
    take: (state, binding) => {
      const [prefix, body = "", seal = "", ...rest] = state.length > STATE_CHARS ? [] : state.split(".");
      if (prefix !== PREFIX || rest.length > 0 || !isSame(seal, sealOf(`${PREFIX}.${body}`))) return undefined;
      const claim = parseJson(Buffer.from(body, "base64url").toString());
      const { payload, nonce, until, of } = isObject(claim) ? claim : {};
      if (!isObject(payload) || typeof nonce !== "string" || typeof until !== "number") return undefined;
      if (until <= now() || of !== digestOf(binding)) return undefined;
      return use(nonce, until) ? payload : undefined;
    },
  };
}
