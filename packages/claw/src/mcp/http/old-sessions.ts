import type { Server } from "@modelcontextprotocol/server";
import { isInitializeRequest } from "@modelcontextprotocol/server";
import { LIMITS } from "claw-contract";
import type { OldSession } from "./old-session.ts";
import { openOldSession } from "./old-session.ts";
import { methodRefusal, requestIdOf, RPC_CODES, rpcRefusal } from "./rpc-answer.ts";

const SESSION = "mcp-session-id";
const METHODS = new Set(["POST", "GET", "DELETE"]);

const noSession = (body: unknown): Response =>
  rpcRefusal(404, { code: RPC_CODES.noSession, text: "Session not found", id: requestIdOf(body) });

const sessionMissing = (body: unknown): Response =>
  rpcRefusal(400, { code: RPC_CODES.transport, text: "The header Mcp-Session-Id is missing", id: requestIdOf(body) });

const tooMany = (body: unknown): Response =>
  rpcRefusal(503, { code: RPC_CODES.internal, text: "Too many sessions are open", id: requestIdOf(body) });

/** Sessions of the protocol up to 2025-11-25: `initialize` begins one, DELETE or silence ends one. */
export class OldSessions {
  readonly #sessions = new Map<string, OldSession>();
  readonly #makeServer: () => Server;
  readonly #now: () => number;

  constructor(makeServer: () => Server, now: () => number = Date.now) {
    this.#makeServer = makeServer;
    this.#now = now;
  }

  /** Answers a request of the old protocol. Rejects when the transport breaks. */
  async answer(request: Request, body: unknown): Promise<Response> {
    if (!METHODS.has(request.method)) return methodRefusal(false);
    const id = request.headers.get(SESSION);
    const known = id === null ? undefined : this.#sessions.get(id);
    if (known !== undefined) return known.serve(request, body);
    if (id !== null) return noSession(body);
    if (!isInitializeRequest(body)) return sessionMissing(body);
    return this.#makeRoom() ? (await this.#begin()).serve(request, body) : tooMany(body);
  }

  /** Whether a session is there that a client may come back to. Ends sessions that were silent for too long. */
  any(): boolean {
    const now = this.#now();
    for (const [id, session] of this.#idle()) if (now - session.usedAt() > LIMITS.mcpSessionMs) void this.#end(id);
    return this.#sessions.size > 0;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(): Promise<OldSession> {
    const session: OldSession = await openOldSession(
      this.#makeServer(),
      { began: (id) => void this.#sessions.set(id, session), ended: (id) => void this.#sessions.delete(id) },
      this.#now,
    );
    return session;
  }

  /** Ends the session that was silent longest, when there are as many as there may be. */
  #makeRoom(): boolean {
    this.any();
    if (this.#sessions.size < LIMITS.mcpSessions) return true;
    const [oldest] = this.#idle().toSorted(([, a], [, b]) => a.usedAt() - b.usedAt());
    if (oldest !== undefined) void this.#end(oldest[0]);
    return oldest !== undefined;
  }

  #idle(): [string, OldSession][] {
    return [...this.#sessions].filter(([, session]) => session.isIdle());
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.close();
  }
}
