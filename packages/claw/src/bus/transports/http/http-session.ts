import { LIMITS } from "claw-contract";
import type { Accept, ConnectionHandler } from "../transport.ts";
import type { HttpReply } from "./reply.ts";
import { answerOf, refusal } from "./reply.ts";

type Body = Readonly<Record<string, unknown>>;

/** One client of the bus behind HTTP requests. Each request waits for one answer. */
interface HttpSession {
  ask(body: Body): Promise<HttpReply>;
  close(): void;
}

const HUNG_UP = refusal(503, "connection ended");

/** Opens a session for one bearer. Push frames are dropped, since an HTTP request takes only one answer. */
function openHttpSession(accept: Accept, bearer: string | undefined, closed: () => void): HttpSession {
  const waiting = new Map<string, (answer: HttpReply) => void>();
  let handler: ConnectionHandler | undefined;
  let numbers = 0;
  const close = (): void => {
    if (handler === undefined) return;
    // HTTP requests keep no connection open, so the server gives up the client's identity.
    handler.closed("server");
    handler = undefined;
    for (const settle of waiting.values()) settle(HUNG_UP);
    closed();
  };
  const receive = (frame: string): void => {
    const { rid, ...body } = JSON.parse(frame) as Body;
    waiting.get(JSON.stringify(rid) ?? "")?.(answerOf({ ...body, ...(rid === undefined ? {} : { rid }) }));
  };
  handler = accept(
    { send: receive, congested: () => false, end: () => queueMicrotask(close) },
    bearer === undefined ? { surface: "network" } : { surface: "network", bearer },
  );
  return {
    close,
    ask: (body) => {
      if (handler === undefined) return Promise.resolve(HUNG_UP);
      const given = body["id"] !== undefined;
      const id: unknown = given ? body["id"] : `http-${(numbers += 1)}`;
      const key = JSON.stringify(id);
      if (waiting.has(key)) return Promise.resolve(refusal(409, "a request with this id is being answered"));
      return new Promise((resolve) => {
        const settle = ({ status, body: { id: _id, rid: _rid, ...rest } }: HttpReply): void => {
          clearTimeout(timer);
          waiting.delete(key);
          resolve({ status, body: given ? { id, ...rest, rid: id } : rest });
        };
        const timer = setTimeout(() => settle(refusal(504, "no answer in time")), LIMITS.httpReplyMs);
        waiting.set(key, settle);
        handler?.line(JSON.stringify({ ...body, id }));
      });
    },
  };
}

/** A client with a valid token. Its later requests use the same peer. */
export interface Entered {
  readonly kind: "entered";
  readonly ask: (body: Body) => Promise<HttpReply>;
}

/** Keeps one identity for each token, so that requests of the same bearer come from the same peer. */
export interface HttpSessions {
  /** Judges a token before the request's body is read. */
  enter(bearer: string | undefined): Promise<Entered | { readonly kind: "refused"; readonly answer: HttpReply }>;
  close(): void;
}

const HELLO = { cmd: "hello", protocol: "claws/2", capabilities: ["receipts"] };

/** Says hello for a client that asks something else first. */
function createGreeting(session: HttpSession): Entered["ask"] {
  let greeted = false;
  return async (body) => {
    const isGreeted = greeted || body["cmd"] === "hello";
    greeted = true;
    const hello = isGreeted ? undefined : await session.ask(HELLO);
    if (hello === undefined || hello.status === 200) return session.ask(body);
    session.close();
    return hello;
  };
}

interface KnownSession {
  readonly session: HttpSession;
  readonly ask: Entered["ask"];
  readonly idle: NodeJS.Timeout;
}

export function createHttpSessions(accept: Accept, idleMs: number): HttpSessions {
  const sessions = new Map<string, KnownSession>();

  const begin = (bearer: string): KnownSession => {
    const session = openHttpSession(accept, bearer, () => {
      clearTimeout(sessions.get(bearer)?.idle);
      sessions.delete(bearer);
    });
    const idle = setTimeout(() => session.close(), idleMs).unref();
    const known = { session, ask: createGreeting(session), idle };
    sessions.set(bearer, known);
    return known;
  };
  const refuseNameless = async (): Promise<HttpReply> => {
    const session = openHttpSession(accept, undefined, () => undefined);
    const answer = await session.ask({ cmd: "auth" });
    session.close();
    return answer;
  };
  return {
    enter: async (bearer) => {
      if (bearer === undefined) return { kind: "refused", answer: await refuseNameless() };
      const before = sessions.get(bearer);
      if (before === undefined && sessions.size >= LIMITS.connections) {
        return { kind: "refused", answer: refusal(503, "too many connections") };
      }
      const { session, ask, idle } = before ?? begin(bearer);
      idle.refresh();
      // The token is shown again with every request. A token for one use is valid for the first request only.
      const answer = await session.ask(before === undefined ? { cmd: "auth" } : { cmd: "auth", bearer });
      if (answer.status === 200) return { kind: "entered", ask };
      if (before === undefined) session.close();
      return { kind: "refused", answer };
    },
    close: () => {
      for (const { session } of sessions.values()) session.close();
    },
  };
}
