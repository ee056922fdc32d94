import { LIMITS } from "@claw/contract";
import type { Accept, ConnectionHandler } from "../../transport.ts";
import type { Answer } from "./reply.ts";
import { answerOf, refusal } from "./reply.ts";

type Body = Readonly<Record<string, unknown>>;

/** One client of the bus, behind requests that each wait for one answer. */
interface HttpSession {
  ask(body: Body): Promise<Answer>;
  close(): void;
}

const HUNG_UP = refusal(503, "connection ended");

/** Pushes have nobody to go to and are dropped. */
function openSession(accept: Accept, bearer: string | undefined, closed: () => void): HttpSession {
  const waiting = new Map<string, (answer: Answer) => void>();
  let handler: ConnectionHandler | undefined;
  let numbers = 0;
  const close = (): void => {
    if (handler === undefined) return;
    // The requests of a client are no connection of its own: it is this side that gives its identity up.
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
        const settle = ({ status, body: { id: _id, rid: _rid, ...rest } }: Answer): void => {
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

/** Keeps one identity for each token, so that requests of the same bearer come from the same peer. */
export interface HttpSessions {
  ask(bearer: string | undefined, body: Body): Promise<Answer>;
  close(): void;
}

const HELLO = { cmd: "hello", protocol: "claws/2", capabilities: ["receipts"] };

export function createHttpSessions(accept: Accept, idleMs: number): HttpSessions {
  const sessions = new Map<string, { session: HttpSession; idle: NodeJS.Timeout }>();

  const askOnce = async (body: Body): Promise<Answer> => {
    const session = openSession(accept, undefined, () => undefined);
    const answer = await session.ask(body);
    session.close();
    return answer;
  };
  const begin = async (bearer: string, body: Body): Promise<Answer> => {
    if (sessions.size >= LIMITS.connections) return refusal(503, "too many connections");
    const session = openSession(accept, bearer, () => {
      clearTimeout(sessions.get(bearer)?.idle);
      sessions.delete(bearer);
    });
    const idle = setTimeout(() => session.close(), idleMs).unref();
    sessions.set(bearer, { session, idle });
    if (body["cmd"] === "hello") return session.ask(body);
    const hello = await session.ask(HELLO);
    if (hello.status === 200) return session.ask(body);
    session.close();
    return hello;
  };
  return {
    ask: (bearer, body) => {
      if (bearer === undefined) return askOnce(body);
      const known = sessions.get(bearer);
      if (known === undefined) return begin(bearer, body);
      known.idle.refresh();
      // Shown again with every request: a token for one use was good for the first.
      return known.session.ask({ bearer, ...body });
    },
    close: () => {
      for (const { session } of sessions.values()) session.close();
    },
  };
}
