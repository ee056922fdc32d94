import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { FILE_HEADERS } from "./page-headers.ts";
import type { PageFile } from "./page-files.ts";

type Coding = "br" | "gzip" | "identity";

const QUALITY = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/i;

/** The codings of an Accept-Encoding header, with their weights. What does not read as a coding is left out. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(",")) {
    const [, name, weight = "1"] = QUALITY.exec(part) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}

/** The smallest body that a browser takes. */
export function codingFor(header: string | undefined): Coding {
  const weights = weightsOf(header ?? "");
  const isTaken = (name: Coding): boolean => (weights.get(name) ?? weights.get("*") ?? 0) > 0;
  if (isTaken("br")) return "br";
  return isTaken("gzip") ? "gzip" : "identity";
}

/** Whether a browser holds one of the file's bodies already. */
function isHeld({ headers }: IncomingMessage, etag: string): boolean {
  const held = headers["if-none-match"];
  if (held === undefined) return false;
  return held.trim() === "*" || held.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The page itself is asked for each time; files with a hash in their name are never asked for again. */
const cacheControl = ({ isImmutable }: PageFile): string =>
  isImmutable ? `private, max-age=${YEAR_SECONDS}, immutable` : "private, no-cache";

/** Sends a file whole: a request for a part of it gets all of it. */
export function serveFile(request: IncomingMessage, response: ServerResponse, file: PageFile): void {
  const coding = codingFor(request.headers["accept-encoding"]);
  const etag = `"${file.digest}-${coding}"`;
  const headers = {
    ...FILE_HEADERS,
    "content-type": file.type,
    "cache-control": cacheControl(file),
    vary: "accept-encoding",
    etag,
    "accept-ranges": "none",
    ...(coding === "identity" ? {} : { "content-encoding": coding }),
  };
  if (isHeld(request, etag)) return void response.writeHead(304, headers).end();
  const body = coding === "identity" ? gunzipSync(file.gzip) : file[coding];
  response.writeHead(200, { ...headers, "content-length": body.length });
  return void response.end(request.method === "HEAD" ? undefined : body);
}
