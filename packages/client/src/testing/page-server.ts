import type { IncomingMessage, RequestListener } from "node:http";

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Serves a page with one script, and keeps what the page reports until a test asks for it. */
export function createPageServer() {
  const reports = new Map<string, unknown>();
  let wake = (): void => undefined;
  let script = "";
  const listen: RequestListener = (request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(`<!doctype html><meta charset="utf-8"><title>bus</title><script>${script}</script>`);
      return;
    }
    void bodyOf(request).then((body) => {
      reports.set((request.url ?? "").slice(1), body);
      response.end();
      return wake();
    });
  };
  const report = async (what: string): Promise<unknown> => {
    while (!reports.has(what)) {
      if (reports.has("failed")) throw new Error(`the page failed: ${JSON.stringify(reports.get("failed"))}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return reports.get(what);
  };
  return { listen, report, serve: (text: string) => (script = text) };
}
