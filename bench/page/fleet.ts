import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Worker } from "claw-client";
import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import type { Client } from "../bus/client.ts";
import { countLines, openClient } from "../bus/client.ts";
import type { Server } from "../bus/server.ts";

/** Workers of a daemon that say something whenever they are told to. */
export interface Fleet {
  /** Publishes at a steady rate, whatever the machine does: what is late is sent at once. Resolves when all is stored. */
  steadily(perSecond: number, texts: readonly string[], sent?: (text: string) => void): Promise<void>;
  /** Publishes as fast as the daemon stores. */
  quickly(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Publishes without an answer, as fast as the daemon stores. */
const WINDOW = 400;

/** A worker's event in its full envelope. */
function frameOf(peerId: string, message: string): string {
  const envelope = {
    v: 1,
    id: randomUUID(),
    from_peer: peerId,
    from_name: "bench-worker",
    ts_published: new Date().toISOString(),
    schema: "worker-event-v1",
    data: { kind: "LOG", severity: "info", message },
  };
  return `${JSON.stringify({ id: envelope.id, cmd: "publish", topic: `worker.${peerId}.event`, payload: envelope })}\n`;
}

const TALK = "The tests of this package passed; going on with the next one";

/** Counts answers, and tells when as many as wanted came. */
function answersOf(clients: readonly Client[]) {
  const state = { answered: 0, wake: (): void => undefined };
  for (const client of clients) {
    client.receive((chunk) => {
      state.answered += countLines(chunk);
      state.wake();
    });
  }
  return {
    answered: () => state.answered,
    until: async (count: number): Promise<void> => {
      while (state.answered < count) await new Promise<void>((resolve) => (state.wake = resolve));
    },
  };
}

/** Boots the workers of a daemon, and opens a client for each of them. */
export async function openFleet(server: Server, count: number): Promise<Fleet> {
  const workers: Worker[] = [];
  const talkers: Client[] = [];
  for (let index = 0; index < count; index += 1) {
    const worker = connectWorker({ channel: unixChannel(server.socket), name: `worker-${index}` });
    await worker.boot({ model: "m", mission_summary: "Talk all the time", cwd: "/" });
    workers.push(worker);
    talkers.push(await openClient(server.socket, "worker"));
  }
  const answers = answersOf(talkers);
  let sent = 0;
  const say = (text: string): void => {
    const talker = talkers[sent % talkers.length];
    sent += 1;
    talker?.write(frameOf(talker.peerId, text));
  };
  return {
    steadily: async (perSecond, texts, told) => {
      const started = performance.now();
      for (const [index, text] of texts.entries()) {
        const wait = started + (index * 1000) / perSecond - performance.now();
        if (wait > 0) await setTimeout(wait);
        told?.(text);
        say(text);
      }
      await answers.until(sent);
    },
    quickly: async (events) => {
      for (let left = events; left > 0; left -= 1) {
        if (sent - answers.answered() >= WINDOW) await answers.until(sent - WINDOW / 2);
        say(`${TALK} ${left}`);
      }
      await answers.until(sent);
    },
    close: async () => {
      for (const talker of talkers) talker.close();
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
