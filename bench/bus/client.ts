import { once } from "node:events";
import type { Socket } from "node:net";
import { connect } from "node:net";

const LF = 0x0a;

/** Told what came in, whole lines only, as soon as it is there. */
export type Receive = (chunk: Buffer) => void;

/** A client on the bare socket, the same for every server, cheap enough not to be what is measured. */
export interface Client {
  readonly peerId: string;
  readonly socket: Socket;
  readonly write: (text: string) => void;
  /** Answers a request; for the time before measuring. */
  request(fields: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** From now on everything received goes here. */
  readonly receive: (take: Receive) => void;
  readonly close: () => void;
}

const ANSWER_MS = 120_000;

/** Reads until a line that is an answer to this id; what comes in between is dropped. Rejects when none comes in time. */
async function answerTo(socket: Socket, id: string): Promise<Readonly<Record<string, unknown>>> {
  const timer = setTimeout(() => socket.destroy(new Error(`no answer to ${id}`)), ANSWER_MS);
  let rest = "";
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line) as Readonly<Record<string, unknown>>;
      if ((answer["rid"] ?? answer["id"]) !== id) continue;
      clearTimeout(timer);
      if (answer["ok"] !== true) throw new Error(`refused: ${line}`);
      return answer;
    }
  }
}

export async function openClient(path: string, role: string): Promise<Client> {
  const socket = connect(path);
  await once(socket, "connect");
  let requests = 0;
  const request: Client["request"] = (fields) => {
    const id = `r${(requests += 1)}`;
    const answered = answerTo(socket, id);
    socket.write(`${JSON.stringify({ id, ...fields })}\n`);
    return answered;
  };
  const hello = {
    cmd: "hello",
    protocol: "claws/2",
    role,
    peerName: `bench-${role}`,
    capabilities: ["receipts", "gap"],
  };
  const { peerId } = await request(hello);
  return {
    peerId: String(peerId),
    socket,
    write: (text) => void socket.write(text),
    request,
    receive: (take) => void socket.on("data", take),
    close: () => void socket.destroy(),
  };
}

const AT_ONCE = 50;

/** Many clients of one role, some at a time. */
export async function openClients(path: string, role: string, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - clients.length) }, () => openClient(path, role));
    clients.push(...(await Promise.all(some)));
  }
  return clients;
}

/** How many lines end in a chunk. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines += 1;
  return lines;
}

const MESSAGE = "The tests of this package passed; going on with the next one";
let published = 0;

/** A log entry in its full envelope. Its id was never used before in this process. */
export function logEntry(peerId: string): string {
  published += 1;
  const number = published.toString(16).padStart(12, "0");
  const envelope = `{"v":1,"id":"00000000-0000-4000-8000-${number}","from_peer":"${peerId}","from_name":"bench-worker","ts_published":"2026-01-01T00:00:00.000Z","schema":"worker-event-v1","data":`;
  return `${envelope}{"kind":"LOG","severity":"info","message":"${MESSAGE}"}}`;
}

/** A publish of one. */
export function publishFrame(peerId: string): string {
  const entry = logEntry(peerId);
  return `{"id":"q${published}","cmd":"publish","topic":"worker.${peerId}.event","payload":${entry}}\n`;
}
