import { matchTopic } from "claw-contract";
import type { AcceptLines, LineConnection } from "../connection/channels/memory.ts";

interface StoredEvent {
  readonly topic: string;
  readonly from: string;
  readonly payload: { readonly id?: string };
}

interface Route {
  readonly connection: LineConnection;
  readonly pattern: string;
  readonly peerId: string;
}

type Request = Readonly<Record<string, unknown>>;

export interface ModelBus {
  readonly accept: AcceptLines;
  readonly log: StoredEvent[];
  /** Answers that take the place of the next ones to a command. */
  readonly answers: Map<string, Request>;
  /** Commands that are carried out and never answered. */
  readonly silent: Set<string>;
  /** Requests received, oldest first. */
  readonly requests: Request[];
  /** Forgets everything up to a sequence. */
  trim(sequence: number): void;
}

/** The simplest bus that keeps every promise: a list, whose readers are sent everything at once. */
export function createModelBus(): ModelBus {
  const log: StoredEvent[] = [];
  const answers = new Map<string, Request>();
  const requests: Request[] = [];
  const silent = new Set<string>();
  const peers = new Map<unknown, string>();
  const routes = new Map<string, Route>();
  let trimmed = 0;
  let subscriptions = 0;

  const pushTo = (id: string, { connection, pattern, peerId }: Route, sequence: number, live: boolean): void => {
    const event = log[sequence - 1];
    if (event === undefined || !matchTopic(pattern, event.topic)) return;
    if (live && event.from === peerId) return;
    const place = { sentAt: 0, sequence, subscriptionId: id, cursor: `0001:${sequence}` };
    const frame = { push: "message", ...event, ...place };
    connection.send(JSON.stringify(frame));
  };
  const hello = (request: Request): Request => {
    const known = peers.get(request["resumeToken"]);
    const peerId = known ?? `p_${String(peers.size + 1).padStart(6, "0")}`;
    peers.set(`token-${peerId}`, peerId);
    const serverCapabilities = ["receipts", "gap", "resume"];
    const place = { restored: known !== undefined, resumeToken: `token-${peerId}`, resumeCursor: `0001:${log.length}` };
    return { ok: true, peerId, serverCapabilities, ...place };
  };
  const publish = (request: Request, peerId: string): Request => {
    const { topic, payload } = request as { topic: string; payload: { id?: string } };
    const at = log.findIndex(({ from, payload: { id } }) => from === peerId && id === payload.id);
    const sequence = at === -1 ? log.push({ topic, from: peerId, payload }) : at + 1;
    if (at === -1) for (const [id, route] of routes) pushTo(id, route, sequence, request["echo"] !== true);
    return { ok: true, deliveredTo: 0, sequence, cursor: `0001:${sequence}`, duplicate: at !== -1 };
  };
  const replay = (id: string, route: Route, from: string): void => {
    const after = Number(from.split(":")[1]);
    if (after < trimmed && from !== "0000:0") {
      const gap = { from, to: `0001:${trimmed}`, reason: "retention" };
      route.connection.send(JSON.stringify({ push: "gap", subscriptionId: id, ...gap }));
    }
    for (let sequence = Math.max(after, trimmed) + 1; sequence <= log.length; sequence += 1) {
      pushTo(id, route, sequence, false);
    }
    const caughtUp = { push: "caught-up", subscriptionId: id, resumeCursor: `0001:${log.length}` };
    route.connection.send(JSON.stringify(caughtUp));
  };
  const accept: AcceptLines = (connection) => {
    let peerId = "";
    const own = new Set<string>();
    const answer = (request: Request, body: Request): void => {
      if (!silent.has(String(request["cmd"]))) connection.send(JSON.stringify({ ...body, rid: request["id"] }));
    };
    const subscribe = (request: Request): void => {
      subscriptions += 1;
      const id = `s_${subscriptions}`;
      const route = { connection, pattern: String(request["topic"]), peerId };
      routes.set(id, route);
      own.add(id);
      answer(request, { ok: true, subscriptionId: id, resumeCursor: `0001:${log.length}` });
      if (typeof request["fromCursor"] === "string") replay(id, route, request["fromCursor"]);
    };
    const run = (request: Request): void => {
      const cmd = String(request["cmd"]);
      const prepared = answers.get(cmd);
      requests.push(request);
      answers.delete(cmd);
      if (prepared !== undefined) return answer(request, prepared);
      if (cmd === "hello") {
        const welcome = hello(request);
        peerId = String(welcome["peerId"]);
        return answer(request, welcome);
      }
      if (cmd === "publish") return answer(request, publish(request, peerId));
      if (cmd === "subscribe") return subscribe(request);
      if (cmd === "unsubscribe") routes.delete(String(request["subscriptionId"]));
      return answer(request, { ok: true, cmd });
    };
    return {
      line: (text) => run(JSON.parse(text) as Request),
      drained: () => undefined,
      closed: () => {
        for (const id of own) routes.delete(id);
      },
    };
  };
  return {
    accept,
    log,
    answers,
    silent,
    requests,
    trim: (sequence) => {
      trimmed = sequence;
    },
  };
}
