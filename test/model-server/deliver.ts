import type { ServerResponse } from "node:http";
import type { ApiRequest } from "./api-request.ts";
import type { Dialect } from "./dialect.ts";
import type { Answer, Attempt, Fault } from "./model-scenario.ts";
import type { SseEvent } from "./sse.ts";
import { writeSse } from "./sse.ts";

export interface Delivery {
  readonly dialect: Dialect;
  readonly request: ApiRequest;
  readonly stream: boolean;
  /** Resolves after that time. */
  readonly wait: (ms: number) => Promise<void>;
}

const HTML = "<html><body><h1>502 Bad Gateway</h1></body></html>";
const NO_JSON = '{"id": "msg_1", "content": [';

type Headers = Readonly<Record<string, string>>;

function sendFault(response: ServerResponse, fault: Fault, { dialect, request }: Delivery, headers: Headers): void {
  const send = (status: number, type: string, body: string, more: Headers = {}): void =>
    void response.writeHead(status, { ...headers, "content-type": type, ...more }).end(body);
  switch (fault.kind) {
    case "status": {
      const body = JSON.stringify(dialect.error(fault, request));
      return send(fault.status, "application/json", body, fault.headers);
    }
    case "html": {
      return send(200, "text/html", HTML);
    }
    case "bad-body": {
      return send(200, "application/json", NO_JSON);
    }
    case "reset": {
      return void response.socket?.resetAndDestroy();
    }
    case "hang": {
      if (fault.at === "before-headers") return;
      return response.writeHead(200, { ...headers, "content-type": "text/event-stream" }).flushHeaders();
    }
  }
}

const BAD_EVENT: SseEvent = { event: "message", data: '{"type": "content_' };

/** Ends a stream that has begun as its scenario says. */
function breakOff(response: ServerResponse, how: NonNullable<Answer["breaks"]>["how"], dialect: Dialect): void {
  switch (how) {
    case "cut": {
      return void response.end();
    }
    case "reset": {
      return void response.socket?.resetAndDestroy();
    }
    case "hang": {
      return;
    }
    case "bad-json": {
      return void response.end(writeSse(BAD_EVENT));
    }
    case "error-event": {
      return void response.end(writeSse(dialect.overloaded));
    }
  }
}

async function sendStream(response: ServerResponse, answer: Answer, delivery: Delivery): Promise<void> {
  const { dialect, request, wait } = delivery;
  const { breaks, dripMs } = answer;
  const events = dialect.events(answer, request);
  for (const event of events.slice(0, breaks?.afterEvents ?? events.length)) {
    if (dripMs !== undefined) await wait(dripMs);
    if (response.destroyed) return;
    // What was said before a break has to be on its way when the connection is torn.
    await new Promise((resolve) => response.write(writeSse(event), resolve));
  }
  if (breaks === undefined) response.end();
  else breakOff(response, breaks.how, dialect);
}

/** An answer without a stream breaks off in the middle of its body. */
function sendWhole(response: ServerResponse, answer: Answer, { dialect, request }: Delivery): void {
  const body = JSON.stringify(dialect.whole(answer, request));
  if (answer.breaks === undefined) return void response.end(body);
  if (answer.breaks.how === "error-event") return void response.end(dialect.overloaded.data);
  response.write(body.slice(0, body.length / 2), () => breakOff(response, answer.breaks?.how ?? "cut", dialect));
}

/** Gives a request what its attempt says: an answer, a broken one, or none. Resolves when nothing more will be sent. */
export async function deliver(response: ServerResponse, attempt: Attempt, delivery: Delivery): Promise<void> {
  const headers = { [delivery.dialect.requestIdHeader]: `req_${delivery.request.number}` };
  if (attempt.kind !== "answer") return sendFault(response, attempt, delivery, headers);
  const type = delivery.stream ? "text/event-stream; charset=utf-8" : "application/json";
  response.writeHead(200, { ...headers, "content-type": type, "cache-control": "no-store" });
  if (delivery.stream) await sendStream(response, attempt, delivery);
  else sendWhole(response, attempt, delivery);
}
