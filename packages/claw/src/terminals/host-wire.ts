import { ClawError, ERROR_CODES } from "@claw/contract";
import type { ErrorCode } from "@claw/contract";

/** A request to the terminal host: one line of JSON. Bytes are base64. */
export type HostRequest = { readonly n: number; readonly op: string } & Readonly<Record<string, unknown>>;

export type HostReply =
  | ({ readonly n: number; readonly ok: true } & Readonly<Record<string, unknown>>)
  | {
      readonly n: number;
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly target: string;
    };

/** Parses a line from a client; undefined when the line is not a request. */
export function parseRequest(line: Uint8Array): HostRequest | undefined {
  try {
    const request = JSON.parse(Buffer.from(line).toString("utf8")) as HostRequest | null;
    return typeof request?.n === "number" && typeof request.op === "string" ? request : undefined;
  } catch {
    return undefined;
  }
}

/** A frame the host sends without a request. */
export type HostPush =
  | { readonly push: "output"; readonly id: string; readonly offset: number; readonly data: string }
  /** All output of a closed terminal was sent. */
  | { readonly push: "ended"; readonly id: string; readonly exitCode: number | null; readonly signal: number | null }
  | ({ readonly push: "fact" } & Readonly<Record<string, unknown>>);

/** Turns any failure into a reply. An error that is no ClawError counts as a failure of the host. */
export function refusalOf(n: number, error: unknown): HostReply {
  if (error instanceof ClawError) {
    const { code, message, target } = error;
    return { n, ok: false, code, message, target: target ?? "" };
  }
  return { n, ok: false, code: "TERMINAL_HOST_FAILED", message: String(error), target: "" };
}

export function errorOf({ code, message, target }: HostReply & { ok: false }, operation: string): ClawError {
  const known = ERROR_CODES.includes(code) ? code : "TERMINAL_HOST_FAILED";
  return new ClawError(known, message, { operation, target });
}
