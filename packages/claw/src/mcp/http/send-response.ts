import type { ServerResponse } from "node:http";
import { LIMITS } from "claw-contract";

const STREAM = "text/event-stream";

const ENDED = { done: true, value: undefined } as const;

const isStream = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith(STREAM) === true;

function writeHead(response: Response, target: ServerResponse): void {
  for (const [name, value] of response.headers) target.setHeader(name, value);
  target.setHeader("x-content-type-options", "nosniff");
  if (!target.hasHeader("cache-control")) target.setHeader("cache-control", "no-store");
  target.writeHead(response.status);
  // The first event of a stream may be long in coming.
  if (isStream(response)) target.flushHeaders();
}

/** Resolves with false when the client has left, or takes nothing for too long. */
function drained(target: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isDrained: boolean) => (): void => {
      clearTimeout(late);
      target.off("drain", go).off("close", left);
      resolve(isDrained);
    };
    const [go, left] = [settle(true), settle(false)];
    const late = setTimeout(left, LIMITS.partialLineMs).unref();
    target.once("drain", go).once("close", left);
  });
}

/**
 * Sends an answer in the form of the web standard. Resolves when the answer is sent or its client has left. A client
 * that takes nothing for too long is disconnected: the log still has what happened.
 */
export async function sendResponse(response: Response, target: ServerResponse): Promise<void> {
  const reader = response.body?.getReader();
  const leave = (): void => void reader?.cancel().catch(() => undefined);
  if (target.destroyed) return leave();
  target.once("close", leave);
  writeHead(response, target);
  for (;;) {
    const { done, value } = (await reader?.read()) ?? ENDED;
    if (done || target.destroyed) break;
    if (!target.write(value) && !(await drained(target))) target.destroy();
  }
  if (!target.destroyed) target.end();
}
