import type { WireErrorCode } from "claw-contract";
import { ClawError, isWireErrorCode } from "claw-contract/client";
import type { WireReply } from "./wire-frame.ts";

/** Exact texts with which the bus refuses a request. */
const EXACT: Readonly<Partial<Record<WireErrorCode, readonly string[]>>> = {
  PUBLISH_FORBIDDEN: ["publish forbidden — not your topic"],
  PUBLISH_INVALID: ["topic required", "topic invalid", "payload:invalid"],
  PUBLISH_CONFLICT: ["duplicate id with another body"],
  PUBLISH_RATE_LIMITED: ["rate-limit-exceeded", "admission-control:backlog"],
  PUBLISH_NOT_STORED: ["event-log:write-failed"],
  INVALID_CURSOR: ["invalid cursor", "invalid cursor format"],
  BUS_INCOMPATIBLE: ["requires capability: durable"],
  PROTOCOL_MISMATCH: ["incompatible protocol version"],
  TOKEN_MISSING: ["auth:required"],
  TOKEN_INVALID: ["auth:invalid"],
  TOKEN_EXPIRED: ["auth:expired"],
};

const CODES = Object.keys(EXACT) as WireErrorCode[];

const GATE = "gate: ";
/** The refusal of an older bus for a request that the bus does not know begins so. */
const UNKNOWN = "unknown cmd: ";
const ROLE = "requires role: ";

const TOKEN_HINT = "Get a token of this workspace and pass it as bearer.";

export function codeOfRefusal(error: string): WireErrorCode {
  const exact = CODES.find((code) => EXACT[code]?.includes(error));
  if (exact !== undefined) return exact;
  if (error.startsWith(GATE)) return "GATE_REFUSED";
  if (error.startsWith(UNKNOWN)) return "PROTOCOL_MISMATCH";
  return error.startsWith(ROLE) ? "PUBLISH_FORBIDDEN" : "BUS_REFUSED";
}

/** Refusals of a bus that cannot store anything for now. */
const AWAY: ReadonlySet<unknown> = new Set(["NATS_UNREACHABLE", "NATS_STREAM_REPLACED"]);
const AGAIN_MS = 1000;

/** How long to wait before the same request is sent again; undefined when the refusal is the bus's last word. */
export function againAfterMs({ ok, code, retry_after_ms: ms }: WireReply): number | undefined {
  return !ok && AWAY.has(code) ? Number(ms) || AGAIN_MS : undefined;
}

/** The error of a request that the bus refused. */
export function refusalError(operation: string, target: string, reply: WireReply): ClawError {
  const error = typeof reply.error === "string" ? reply.error : "refused";
  const { details, retry_after_ms: retryAfterMs, code: named, hint, message } = reply;
  // A bus that knows the code sends it beside the text.
  const code = isWireErrorCode(named) ? named : codeOfRefusal(error);
  return new ClawError(code, typeof message === "string" ? message : error, {
    operation,
    target,
    ...(details === undefined ? {} : { details: { problems: details } }),
    ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
    ...(code.startsWith("TOKEN_") ? { hint: TOKEN_HINT } : {}),
  });
}

/** The error of a refused subscription. For an unknown cursor, the error names the cursor. */
export function subscribeError(pattern: string, cursor: string | undefined, reply: WireReply): ClawError {
  const error = refusalError("subscribe", pattern, reply);
  if (error.code === "PUBLISH_INVALID") {
    const hint = "Write segments with dots between them, as in worker.*.event or system.**.";
    return new ClawError("BUS_REFUSED", error.message, { operation: "subscribe", target: pattern, hint });
  }
  if (error.code !== "INVALID_CURSOR" || cursor === undefined) return error;
  const hint = "Use a cursor that this bus gave, or 0000:0 for everything there is.";
  return new ClawError(error.code, `${error.message}: ${cursor}`, { operation: "subscribe", target: cursor, hint });
}

/** The bus accepted a request but its reply lacks required fields. */
export const incompleteError = (operation: string, target: string): ClawError =>
  new ClawError("BUS_INCOMPATIBLE", `the bus accepted ${operation} but left out fields of the reply`, {
    operation,
    target,
  });

/** The bus accepted a request but a field of its reply is not what the contract promises. */
export const misfitError = (request: string, field: string): ClawError =>
  new ClawError("BUS_INCOMPATIBLE", `the reply to ${request} has no ${field} that this version understands`, {
    operation: "request",
    target: request,
    details: { field },
  });

export const displacedError = (pattern: string, name: string): ClawError =>
  new ClawError("DURABLE_TAKEN_OVER", `another reader subscribed as ${name}`, {
    operation: "subscribe",
    target: pattern,
  });

/** The same text and code as a refusal by the bus. */
export const gateError = (operation: string, target: string, reason: string): ClawError =>
  new ClawError("GATE_REFUSED", `${GATE}${reason}`, { operation, target });

export const closedError = (operation: string, target: string): ClawError =>
  new ClawError("BUS_CLOSED", "the client was closed", { operation, target });

export const unreachableError = (target: string, cause: unknown): ClawError =>
  new ClawError("BUS_UNREACHABLE", "the bus does not answer", { operation: "connect", target, cause });

export const incompatibleError = (target: string, missing: readonly string[]): ClawError =>
  new ClawError("BUS_INCOMPATIBLE", `the bus does not offer ${missing.join(" and ")}`, { operation: "hello", target });

export const takenOverError = (target: string): ClawError =>
  new ClawError("PEER_TAKEN_OVER", "another process goes on as this peer", { operation: "connect", target });
