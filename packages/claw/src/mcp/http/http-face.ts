import type { IncomingMessage, ServerResponse } from "node:http";
import { ClawError, errorRow } from "claw-contract";
import { MCP_PATHS } from "../../verbs/index.ts";
import type { GuestServer } from "./guest-server.ts";
import type { GuestToken, OpenGuest } from "./guests.ts";
import { createGuests } from "./guests.ts";
import type { PostedMessage } from "./read-message.ts";
import { readMessage } from "./read-message.ts";
import { requestIdOf, RPC_CODES, rpcRefusal } from "./rpc-answer.ts";
import { sendResponse } from "./send-response.ts";
import { webRequest } from "./web-request.ts";

/** The MCP server behind an HTTP listener. The listener has judged Host, Origin and token already. */
export interface HttpFace {
  /** Answers a request whose body was not read yet. Resolves when the answer was sent, or the client has left. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, token: GuestToken) => Promise<void>;
  /** Ends sessions and streams. Idempotent. */
  close(): Promise<void>;
}

export interface HttpFaceOptions {
  /** Lets the holder of a token in. Rejects with the refusal of the bus. */
  readonly open: (token: GuestToken) => Promise<OpenGuest>;
}

const isRefused = (error: unknown): boolean => error instanceof ClawError && errorRow(error.code).class === "auth";

/** The answer when the bus did not let the guest in. */
function notLetIn(error: unknown, body: unknown): Response {
  const id = requestIdOf(body);
  if (isRefused(error)) {
    const headers = { "www-authenticate": "Bearer" };
    return rpcRefusal(401, { code: RPC_CODES.transport, text: "The token is not valid", id, headers });
  }
  return rpcRefusal(503, { code: RPC_CODES.internal, text: "The bus does not answer", id });
}

async function answerOf(request: Request, body: unknown, server: GuestServer): Promise<Response> {
  try {
    return await server.answer(request, body);
  } catch {
    return rpcRefusal(500, { code: RPC_CODES.internal, text: "Internal error", id: requestIdOf(body) });
  }
}

/** The message that a request carries. A request without a body carries none. */
const messageOf = (request: IncomingMessage): Promise<Partial<PostedMessage> | Response> =>
  request.method === "POST" ? readMessage(request) : Promise.resolve({});

export function createHttpFace({ open }: HttpFaceOptions): HttpFace {
  const guests = createGuests(open);
  return {
    serve: async (request, response, token) => {
      const leaving = new AbortController();
      response.once("close", () => leaving.abort());
      const message = await messageOf(request);
      if (message instanceof Response) return sendResponse(message, response);
      const { body, text } = message;
      const asked = webRequest(request, leaving.signal, text);
      const use = async (server: GuestServer): Promise<void> =>
        sendResponse(await answerOf(asked, body, server), response);
      const tools = new URL(asked.url).pathname === MCP_PATHS.all ? "all" : "default";
      const served = guests.lend(token, tools, use);
      if (served === undefined) {
        const full = rpcRefusal(503, { code: RPC_CODES.internal, text: "Too many tokens are in use" });
        return sendResponse(full, response);
      }
      return served.catch((error: unknown) => sendResponse(notLetIn(error, body), response));
    },
    close: () => guests.close(),
  };
}
