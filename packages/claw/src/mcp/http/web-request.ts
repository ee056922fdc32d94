import type { IncomingMessage } from "node:http";

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) copied.append(name, each);
  }
  return copied;
};

/** The request in the form of the web standard, which the SDK reads. `text` is its body, which was read already. */
export function webRequest(request: IncomingMessage, signal: AbortSignal, text?: string): Request {
  // The address was judged before: only path and query are of use here.
  const url = new URL(request.url ?? "/", "http://localhost");
  const body = text === undefined ? {} : { body: text };
  return new Request(url, { method: request.method ?? "GET", headers: headersOf(request), signal, ...body });
}
