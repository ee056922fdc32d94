// Made by `npm run generate`. Edit the error's row instead.
import type { WireErrorCode } from "./wire-error-codes.ts";

/** The next step after each error that a client makes itself. */
export const CLIENT_HINTS: Readonly<Partial<Record<WireErrorCode, string>>> = {
  BUS_CLOSED: "Open a new client; this one is closed.",
  BUS_INCOMPATIBLE: "Use a daemon and a client of the same release.",
  BUS_REFUSED: "Correct the call; the message says what the bus did not accept.",
  BUS_UNREACHABLE: "Check that the daemon runs and that its address is right: claw up.",
  CANCELLED: "Call again to start over.",
  DURABLE_TAKEN_OVER: "Give each reader its own durable name.",
  GATE_REFUSED: "Publish boot first, then phases, then complete.",
  INVALID_CURSOR: "Use the cursor of the previous page, or start again without one.",
  PEER_TAKEN_OVER: "Give each process its own identity.",
  PROTOCOL_MISMATCH: "Restart the older of the two with the newer version: the daemon with claw up --replace, a worker with claw restart.",
  PUBLISH_CONFLICT: "Give each event its own id.",
  PUBLISH_FORBIDDEN: "Publish on topics of your own role and peer id only.",
  PUBLISH_INVALID: "Correct the fields named in the details.",
  PUBLISH_NOT_STORED: "The log could not be written; free disk space, then publish again.",
  PUBLISH_RATE_LIMITED: "Wait for retry_after, then publish again.",
  REQUEST_TOO_LARGE: "Send a shorter text or a smaller event.",
  SPOOL_FULL: "Wait until the bus has taken the earlier events, then call again.",
  TIMEOUT: "Allow more time with --timeout-seconds.",
  TOKEN_EXPIRED: "Refresh the credentials and call again.",
  TOKEN_INVALID: "Get a new key from your provider.",
  TOKEN_MISSING: "Set the key of your provider, for example ANTHROPIC_API_KEY.",
};

/** The errors after which the same call, unchanged, may succeed. */
export const RETRYABLE_WIRE_ERRORS: readonly WireErrorCode[] = ["BUS_UNREACHABLE","CANCELLED","PUBLISH_NOT_STORED","PUBLISH_RATE_LIMITED","SPOOL_FULL","DISK_FULL","MACHINE_AWAY","NATS_STREAM_REPLACED","NATS_UNREACHABLE"];
