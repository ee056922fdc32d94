import { JetStreamApiError } from "@nats-io/jetstream";
import { ClawError } from "claw-contract";

/** How long a publisher waits before it tries again while NATS is away. */
export const RETRY_AFTER_MS = 1000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** NATS cannot be reached, or cannot store anything for now. The same call may succeed later. */
export const unreachable = (target: string, why: string, cause?: unknown): ClawError =>
  new ClawError("NATS_UNREACHABLE", why, {
    operation: "reach_nats",
    target,
    retryAfterMs: RETRY_AFTER_MS,
    ...(cause === undefined ? {} : { cause }),
  });

/** NATS answered and said no. */
export const refusedByNats = (operation: string, target: string, cause: unknown): ClawError =>
  new ClawError("NATS_REFUSED", textOf(cause), { operation, target, cause });

/** Names of the client's errors that say NATS refused the credentials or a subject. */
const REFUSALS = new Set(["AuthorizationError", "UserAuthenticationExpiredError", "PermissionViolationError"]);

/** The client wraps a refused publish that waits for an answer. */
const nameOfCause = ({ cause }: Error): string => (cause instanceof Error ? cause.name : "");

/** JetStream's status for "not now": a stream or the cluster has no leader at the moment. */
const NOT_NOW = 503;
/** Too few servers have joined the cluster of servers to keep each event as often as wanted. */
const NO_PEERS = 10_005;

const isNotNow = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.status === NOT_NOW || error.code === NO_PEERS);

/** The catalogue's error for an error of the NATS client. */
export function natsError(operation: string, target: string, error: unknown): ClawError {
  if (error instanceof ClawError) return error;
  const isRefusal = error instanceof Error && [error.name, nameOfCause(error)].some((name) => REFUSALS.has(name));
  if (isRefusal) return refusedByNats(operation, target, error);
  if (isNotNow(error)) return unreachable(target, `NATS at ${target} cannot answer for now: ${textOf(error)}`, error);
  const isAnswer = error instanceof Error && error.name.startsWith("JetStream") && error.name !== "JetStreamNotEnabled";
  if (isAnswer) return refusedByNats(operation, target, error);
  return unreachable(target, `NATS at ${target} does not answer: ${textOf(error)}`, error);
}
