import { LIMITS } from "claw-contract";

type Fetch = typeof fetch;

/** Why a watched request was ended. */
export type FetchTrouble = "stalled" | "oversized";

/** A request that is ended when the answer stalls or becomes too large. */
export interface FetchWatch {
  /** To be used for the request. */
  readonly fetch: Fetch;
  /** To be given to the request; aborted when the outer signal is, or when there is trouble. */
  readonly signal: AbortSignal;
  readonly trouble: () => FetchTrouble | undefined;
  /** Ends the request if it still goes on. Idempotent. */
  close(): void;
}

export interface WatchOptions {
  readonly fetch: Fetch;
  /** Silence after which the request is ended. */
  readonly idleMs: number;
  /** Bytes of an answer after which the request is ended. */
  readonly maxBytes?: number;
}

/**
 * Watches the bytes of an answer, not its events: a provider that thinks for long sends signs of life that its SDK does
 * not pass on.
 */
export function watchRequest(
  { fetch, idleMs, maxBytes = LIMITS.modelAnswerBytes }: WatchOptions,
  outer: AbortSignal,
): FetchWatch {
  const own = new AbortController();
  let trouble: FetchTrouble | undefined;
  let bytes = 0;
  const end = (why: FetchTrouble): void => {
    trouble ??= why;
    own.abort();
  };
  const pass = (): void => own.abort(outer.reason);
  if (outer.aborted) pass();
  outer.addEventListener("abort", pass, { once: true });
  const timer = setTimeout(() => end("stalled"), idleMs);
  const count = (chunk: Uint8Array): void => {
    timer.refresh();
    bytes += chunk.byteLength;
    if (bytes > maxBytes) end("oversized");
  };
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      timer.refresh();
      return response.body === null ? response : watched(response, response.body, count);
    },
    signal: own.signal,
    trouble: () => trouble,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", pass);
      own.abort();
    },
  };
}

/** The same response; `show` gets each chunk of the body before the reader. */
function watched(
  { status, statusText, headers }: Response,
  body: NonNullable<Response["body"]>,
  show: (chunk: Uint8Array) => void,
): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      show(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, statusText, headers });
}
