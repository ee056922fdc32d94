import type { JSONRPCRequest, McpHttpHandler } from "@modelcontextprotocol/server";
import { classifyInboundRequest, createMcpHandler, isJSONRPCRequest } from "@modelcontextprotocol/server";
import { LIMITS } from "claw-contract";
import type { Caller } from "../layer/caller.ts";
import { createServer } from "../layer/create-server.ts";
import type { McpTables } from "../layer/mcp-tables.ts";
import { checkHeaders } from "./header-checked-server.ts";
import type { ListenStream } from "./listen-stream.ts";
import type { FollowTasks } from "./open-listen.ts";
import { openListen } from "./open-listen.ts";
import { OldSessions } from "./old-sessions.ts";
import { methodRefusal } from "./rpc-answer.ts";

/** The holder of one token. */
export interface Guest {
  readonly caller: Caller;
  readonly tables: McpTables;
  /** Sends the notifications of tasks; undefined where the tables have no tasks. */
  readonly followTasks?: FollowTasks;
}

export interface GuestServer {
  /** Answers a request whose body was read and parsed. Never rejects. */
  answer(request: Request, body: unknown): Promise<Response>;
  /** Whether the guest may come back for something: a session or an open stream. */
  any(): boolean;
  /** Ends sessions, streams and requests in flight. */
  close(): Promise<void>;
}

const OLD_VERSION = /^202[45]-/;
const SESSION_METHODS = new Set(["GET", "DELETE"]);

/** Headers by which the SDK judges a request, under the SDK's names. */
const STANDARD_HEADERS = {
  protocolVersionHeader: "mcp-protocol-version",
  mcpMethodHeader: "mcp-method",
  mcpNameHeader: "mcp-name",
} as const;

/** Whether a request belongs to the protocol with sessions, which ended with 2025-11-25. */
function isOld(request: Request, body: unknown): boolean {
  const { headers, method } = request;
  if (method !== "POST") {
    return headers.has("mcp-session-id") || OLD_VERSION.test(headers.get("mcp-protocol-version") ?? "");
  }
  const outcome = classifyInboundRequest({
    httpMethod: method,
    body,
    ...Object.fromEntries(
      Object.entries(STANDARD_HEADERS).flatMap(([field, name]) => {
        const value = headers.get(name);
        return value === null ? [] : [[field, value]];
      }),
    ),
  });
  return outcome.kind === "legacy";
}

const listenRequest = (body: unknown): JSONRPCRequest | undefined =>
  isJSONRPCRequest(body) && body.method === "subscriptions/listen" ? body : undefined;

const createModern = ({ tables, caller }: Guest): McpHttpHandler =>
  createMcpHandler(async ({ era }) => checkHeaders(createServer(tables, { caller, era }), await tables.tools(caller)), {
    legacy: "reject",
    keepAliveMs: LIMITS.heartbeatMs,
    maxSubscriptions: LIMITS.mcpListens,
  });

/** Serves the requests of one guest in both eras. */
export function createGuestServer(guest: Guest): GuestServer {
  const { tables, caller } = guest;
  const modern = createModern(guest);
  const sessions = new OldSessions(() => createServer(tables, { caller, era: "legacy" }));
  const listens = new Set<ListenStream>();
  return {
    answer: async (request, body) => {
      if (isOld(request, body)) return sessions.answer(request, body);
      if (request.method !== "POST") return methodRefusal(SESSION_METHODS.has(request.method));
      const listen = listenRequest(body);
      const response = await modern.fetch(request, { parsedBody: body });
      return listen === undefined ? response : openListen({ guest, request: listen, response }, listens);
    },
    any: () => sessions.any() || listens.size > 0,
    close: async () => {
      for (const listen of listens) listen.finish();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}
