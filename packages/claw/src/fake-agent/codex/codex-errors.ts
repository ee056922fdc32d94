import type { FailStep, RetryStep } from "../voice.ts";

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
};

const BUSY = "We’re currently experiencing high demand, which may cause temporary errors.";

/** A refusal of the model in Codex's words. */
export function codexError({ status, message }: Pick<FailStep, "status" | "message">): string {
  if (message !== undefined) return message;
  if (status === 429) return "exceeded retry limit, last status: 429 Too Many Requests, request id: req_fake";
  if (status >= 500) return BUSY;
  const url = "http://127.0.0.1/v1/responses";
  const what = `${status} ${STATUS_TEXTS[status] ?? "Refused"}`;
  return `unexpected status ${what}: refused by the fake model, url: ${url}, request id: req_fake`;
}

const DISCONNECTED = "stream disconnected before completion: error sending request";

/** Why Codex tries again. */
export const retryReason = ({ status }: RetryStep): string => (status === null ? DISCONNECTED : codexError({ status }));
