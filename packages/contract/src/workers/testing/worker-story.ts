import type { EventFact, WorkerRecord } from "../index.ts";
import { newWorker, reduceWorker } from "../index.ts";
import type { JsonObject } from "../../json.ts";

export const START = Date.parse("2026-01-01T00:00:00.000Z");
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

export const SPAWNED: JsonObject = {
  peerId: "p_1",
  name: "audit",
  harness: "fake",
  mode: "headless",
  mission: "audit it",
  model: null,
  cwd: "/repo",
  parent_id: "p_0",
  fleet: "night",
  attempt: 1,
  pid: 41,
  worktree: null,
  checks: ["npm test"],
};

/** Tells of one worker step by step. Time passes only when it is told to. */
export class Story {
  worker: WorkerRecord = newWorker("p_1", START);
  now = START;
  #sequence = 0;

  later(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Somebody looks at the clock, who has listened all the time unless said otherwise. */
  look(listeningSince = START, lastFrame: number | null = null): this {
    this.worker = reduceWorker(this.worker, { kind: "clock", at: this.now, listeningSince, lastFrame });
    return this;
  }

  event(topic: string, data: JsonObject = {}): this {
    const from = topic.startsWith("worker.") ? "p_1" : topic.startsWith("cmd.") ? "p_0" : "server";
    this.#sequence += 1;
    const fact: EventFact = { kind: "event", topic, from, data, sequence: this.#sequence, at: this.now };
    this.worker = reduceWorker(this.worker, fact);
    return this;
  }

  /** The worker itself. */
  own(action: string, data: JsonObject = {}): this {
    return this.event(`worker.p_1.${action}`, data);
  }

  signal(signal: string, more: JsonObject = {}): this {
    return this.own("signal", { signal, source: "stream", ...more });
  }

  system(topic: string, data: JsonObject = {}): this {
    return this.event(`system.${topic}`, { peerId: "p_1", role: "worker", ...data });
  }

  beat(tokens = 1, more: JsonObject = {}): this {
    return this.own("heartbeat", { current_phase: "OBSERVE", tokens_used: tokens, cost_usd: tokens / 100, ...more });
  }

  /** One of ours that is in the middle of a turn. */
  atWork(): this {
    return this.system("worker.spawned", SPAWNED)
      .system("peer.joined", { peerName: "audit" })
      .own("boot", { model: "m" })
      .own("phase", { phase: "PLAN" })
      .own("phase", { phase: "SPAWN" })
      .own("phase", { phase: "DEPLOY" })
      .signal("turn_started");
  }

  /** One that came by itself and tells of phases only. */
  stranger(): this {
    return this.system("peer.joined", { peerName: "guest" })
      .own("boot", { model: "m", mission_summary: "theirs", cwd: "/x" })
      .own("phase", { phase: "PLAN" });
  }
}
