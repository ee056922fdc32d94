import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageDoor, PageEntry, TokenStore } from "../../bus/index.ts";
import { enterPage } from "./enter-page.ts";
import { sendNotice } from "./notice.ts";
import type { PageCodes } from "./page-codes.ts";
import { cookieFor, isEncrypted } from "./page-cookie.ts";
import type { PageFiles } from "./page-files.ts";
import { FILE_HEADERS } from "./page-headers.ts";
import { SESSION_NOTICES } from "./page-notices.ts";
import type { PageSession } from "./page-sessions.ts";
import { readPageSession } from "./page-sessions.ts";
import { serveFile } from "./serve-file.ts";

export interface PageRouteOptions {
  readonly key: string;
  readonly files: PageFiles;
  readonly codes: PageCodes;
  readonly tokens: Pick<TokenStore, "issue" | "issued" | "read">;
  /** Ends a session and hangs up on its pages. */
  readonly revoke: (id: string) => void;
  readonly version: string;
  readonly workspace: string;
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The address below the page's path. */
  readonly name: string;
  readonly query: URLSearchParams;
}

/** The top of the server, and the page's path without its last slash. No file has such a name. */
const TOP = "/";
const UNFINISHED = "//";

/** The address below the page's path; undefined for any other address. It is compared as sent: nothing is decoded. */
function visitedName(url: string | undefined, key: string): { name: string; query: string } | undefined {
  const [path = "", query = ""] = (url ?? "").split(/\?(.*)/s);
  if (path === "/") return { name: TOP, query: "" };
  if (path === `/${key}`) return { name: UNFINISHED, query: "" };
  return path.startsWith(`/${key}/`) ? { name: path.slice(key.length + 2), query } : undefined;
}

/** Whether a page of this very address sent the request. Browsers name the origin of every such request. */
export function isOwnPage(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined) return false;
  const own = `${isEncrypted(request) ? "https" : "http"}://${host}`;
  return URL.canParse(own) && new URL(own).origin === origin;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  response.writeHead(status, { ...FILE_HEADERS, ...headers, "content-length": Buffer.byteLength(text) });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

const AUTH_ERRORS = {
  none: "auth:required",
  invalid: "auth:invalid",
  revoked: "auth:invalid",
  expired: "auth:expired",
} as const;

function describeSession({ role, expiresAt }: PageSession, { version, workspace }: PageRouteOptions): object {
  return { ok: true, role, expires_at: new Date(expiresAt).toISOString(), version, workspace };
}

function serveSession({ request, response }: Visit, options: PageRouteOptions): void {
  const reading = readPageSession(options.tokens, request);
  if (reading.kind !== "open") return sendJson(response, 401, { ok: false, error: AUTH_ERRORS[reading.kind] });
  if (request.method !== "DELETE") return sendJson(response, 200, describeSession(reading.session, options));
  if (!isOwnPage(request)) return sendJson(response, 403, { ok: false, error: "origin not allowed" });
  options.revoke(reading.session.id);
  response.setHeader("set-cookie", cookieFor(request, `/${options.key}/`, { value: "", seconds: 0 }));
  return sendJson(response, 200, { ok: true });
}

function serveName({ request, response, name }: Visit, options: PageRouteOptions): void {
  const reading = readPageSession(options.tokens, request);
  if (reading.kind !== "open") return sendNotice(response, SESSION_NOTICES[reading.kind]);
  const file = options.files.get(name === "" ? "index.html" : name);
  return file === undefined || name === "index.html"
    ? sendJson(response, 404, { ok: false, error: "not found" })
    : serveFile(request, response, file);
}

type Route = (visit: Visit, options: PageRouteOptions) => void;

/** The path without its last slash leads to the page. */
const toPage: Route = ({ response }, { key }) => {
  response.writeHead(308, { ...FILE_HEADERS, location: `/${key}/`, "content-length": 0 }).end();
};

const enter: Route = ({ request, response, query }, { key, codes, tokens }) =>
  enterPage(request, response, query.get("code") ?? "", { path: `/${key}/`, codes, tokens });

/** Addresses that are no files, with the methods they take. */
const ROUTES: Readonly<Record<string, { readonly methods: readonly string[]; readonly run: Route }>> = {
  [TOP]: { methods: ["GET", "HEAD"], run: ({ response }) => sendNotice(response, SESSION_NOTICES.none) },
  [UNFINISHED]: { methods: ["GET", "HEAD"], run: toPage },
  enter: { methods: ["GET"], run: enter },
  session: { methods: ["GET", "HEAD", "DELETE"], run: serveSession },
};

const FILE_ROUTE = { methods: ["GET", "HEAD"], run: serveName } as const;

/** Address of the page's WebSocket. */
const SOCKET = "socket";

/** Serves the page below its path, and lets it in as a client of the bus. */
export function createPageRoutes(options: PageRouteOptions): PageDoor {
  return {
    serve: (request, response) => {
      const visited = visitedName(request.url, options.key);
      if (visited === undefined) return false;
      const { name, query } = visited;
      const { methods, run } = (Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined) ?? FILE_ROUTE;
      if (methods.includes(request.method ?? "")) {
        run({ request, response, name, query: new URLSearchParams(query) }, options);
      } else {
        response.setHeader("allow", methods.join(", "));
        sendJson(response, 405, { ok: false, error: "method not allowed" });
      }
      return true;
    },
    enter: (request): PageEntry | undefined => {
      const visited = visitedName(request.url, options.key);
      if (visited === undefined) return undefined;
      if (visited.name !== SOCKET) return { refused: "not found" };
      if (!isOwnPage(request)) return { refused: "origin not allowed" };
      const reading = readPageSession(options.tokens, request);
      return reading.kind === "open" ? { bearer: reading.session.bearer } : { refused: AUTH_ERRORS[reading.kind] };
    },
  };
}
