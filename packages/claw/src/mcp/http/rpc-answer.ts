import { isObject } from "claw-contract";

/** Codes of JSON-RPC and of this protocol's HTTP transport that claw itself answers with. */
export const RPC_CODES = {
  parse: -32_700,
  invalid: -32_600,
  internal: -32_603,
  /** For errors without a code in the protocol. The HTTP status names the error. */
  transport: -32_000,
  noSession: -32_001,
  /** The client lacks a capability that the request needs. */
  capability: -32_021,
} as const;

type RpcId = string | number | null;

/** The id of a refused request. The client pairs the error with its request by this id. */
export function requestIdOf(message: unknown): RpcId {
  if (!isObject(message) || typeof message["method"] !== "string") return null;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

interface Refused {
  readonly code: number;
  readonly text: string;
  readonly id?: RpcId;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP answer that carries an error of JSON-RPC. */
export const rpcRefusal = (status: number, { code, text, id = null, data, headers = {} }: Refused): Response =>
  Response.json({ jsonrpc: "2.0", id, error: { code, message: text, data } }, { status, headers });

const POST_ONLY = { allow: "POST" };
const SESSION_METHODS = { allow: "GET, POST, DELETE" };

/** A method that the protocol does not have. Since 2026-07-28 there are no sessions, so only POST is left. */
export const methodRefusal = (isSessionless: boolean): Response =>
  rpcRefusal(405, {
    code: RPC_CODES.transport,
    text: "Method not allowed",
    headers: isSessionless ? POST_ONLY : SESSION_METHODS,
  });
