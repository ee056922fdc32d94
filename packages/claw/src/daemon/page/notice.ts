import type { ServerResponse } from "node:http";
import { noticeHeaders } from "./page-headers.ts";

/** A small page without a script: why a browser is not let in, and what to do. */
export interface PageNotice {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** A command to type. */
  readonly command?: string;
  readonly retryAfterSeconds?: number;
  /** Leads the browser to the page at once. */
  readonly leadsOn?: string;
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:12vh auto;max-width:34rem;padding:0 1.25rem}
h1{font-size:1.3rem;margin:0 0 .5rem}
code{display:inline-block;margin-top:.25rem;padding:.35rem .6rem;border:1px solid GrayText;border-radius:.4rem;font-family:ui-monospace,monospace}`;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

function markup({ title, text, command, leadsOn }: PageNotice): string {
  const refresh = leadsOn === undefined ? "" : `<meta http-equiv="refresh" content="0; url=${escaped(leadsOn)}">`;
  const code = command === undefined ? "" : `<p><code>${escaped(command)}</code></p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}<title>${escaped(title)}</title><style>${STYLE}</style></head><body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${code}</main></body></html>\n`;
}

const HEADERS = noticeHeaders(STYLE);

export function sendNotice(response: ServerResponse, notice: PageNotice): void {
  const body = Buffer.from(markup(notice));
  const { retryAfterSeconds } = notice;
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
  response.writeHead(notice.status, { ...HEADERS, "content-length": body.length });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
