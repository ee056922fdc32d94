import type { Client } from "../bus/client.ts";
import { openClient } from "../bus/client.ts";

/** An observer of all heartbeats, which checks that none is lost, comes twice, or overtakes another one. */
export interface BeatWatch {
  readonly seen: () => number;
  /** Resolves when as many heartbeats came. */
  until(count: number): Promise<void>;
  /** What was wrong first; undefined when all came as they had to. */
  readonly wrong: () => string | undefined;
  /** A digest of the places of all heartbeats in the log, in the order in which they came. */
  readonly order: () => number;
  close(): void;
}

const BEAT = /"sequence":(\d+)/;
const PEER = /"topic":"worker\.(p_[0-9a-f]+)\.heartbeat"/;
const NUMBER = /"tokens_used":(\d+)/;

/** Checks the pushes of one observer, line by line. */
function createCheck() {
  const numbers = new Map<string, number>();
  let [seen, sequence, order] = [0, 0, 0];
  let wrong: string | undefined;
  return {
    seen: () => seen,
    wrong: () => wrong,
    order: () => order,
    take: (line: string): void => {
      const [peer, number, at] = [PEER, NUMBER, BEAT].map((part) => part.exec(line)?.[1]);
      if (peer === undefined || number === undefined || at === undefined) return;
      seen += 1;
      const expected = (numbers.get(peer) ?? 0) + 1;
      if (Number(number) !== expected) wrong ??= `${peer} sent ${number} where ${expected} was due`;
      if (Number(at) <= sequence) wrong ??= `the event ${at} came after ${sequence}`;
      numbers.set(peer, Number(number));
      sequence = Number(at);
      order = (Math.imul(order, 31) + sequence) | 0;
    },
  };
}

export async function watchBeats(socket: string): Promise<BeatWatch> {
  const client: Client = await openClient(socket, "observer");
  await client.request({ cmd: "subscribe", topic: "worker.*.heartbeat" });
  const check = createCheck();
  let rest = "";
  let arrived = (): void => undefined;
  client.receive((chunk) => {
    const lines = `${rest}${chunk.toString("latin1")}`.split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(check.take);
    arrived();
  });
  return {
    ...check,
    until: async (count) => {
      while (check.seen() < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    close: client.close,
  };
}
