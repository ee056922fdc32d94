import type { EventFact, JsonObject } from "claw-contract";
import { activityOf } from "../stream/activity.ts";
import type { RunItem } from "../stream/run-reader.ts";
import type { RunUpdate } from "../stream/run-update.ts";

type Said = readonly [action: string, data: JsonObject];

const WORK: ReadonlySet<RunUpdate["kind"]> = new Set(["text", "text-delta", "thinking", "tool-call", "request"]);

const signal = (name: string, detail?: string | null): Said => ["signal", { signal: name, source: "stream", detail }];

/** What a worker publishes of one update of its agent. */
function saidOf(update: RunUpdate): Said {
  const { kind } = update;
  if (kind === "turn-started") return signal("turn_started");
  if (kind === "tool-call") return signal("tool_started", activityOf(update));
  if (kind === "tool-result") return signal("tool_ended");
  if (kind === "turn-end") return signal("turn_ended");
  if (kind === "request") {
    const message = `May it use ${update.tool}?`;
    return ["event", { kind: "REQUEST", severity: "info", message, request_id: String(update.id) }];
  }
  const isLimit = kind === "retry" && update.status === 429;
  return isLimit ? signal("rate_limited", update.reason) : signal("activity", activityOf(update));
}

export const WORKER = "p_1";
export const BEGIN = Date.parse("2026-01-01T00:00:00.000Z");

const SPAWNED = { peerId: WORKER, name: "w", harness: "fake", mission: "m", attempt: 1, pid: 7, checks: [] };

/** What of a run stands in the log, one second after the other: a beginning, then facts for each item. */
export function createWorkerFacts(mode: "headless" | "interactive") {
  let sequence = 0;
  let phase: string | null = null;
  const fact = (topic: string, data: JsonObject): EventFact => {
    sequence += 1;
    const from = topic.startsWith("system.") ? "server" : WORKER;
    return { kind: "event", topic, from, data, sequence, at: BEGIN + sequence * 1000 };
  };
  const own = ([action, data]: Said): EventFact => fact(`worker.${WORKER}.${action}`, data);
  const enter = (next: string): EventFact[] => {
    if (phase === next) return [];
    phase = next;
    return [own(["phase", { phase: next }])];
  };
  return {
    begin: (): EventFact[] => [
      fact("system.worker.spawned", { ...SPAWNED, mode }),
      fact("system.peer.joined", { peerId: WORKER, role: "worker" }),
      own(["boot", { model: "m" }]),
      ...enter("PLAN"),
      ...enter("SPAWN"),
    ],
    take: ({ updates }: RunItem): EventFact[] => [
      ...(phase === "SPAWN" ? enter("DEPLOY") : []),
      ...(updates.some(({ kind }) => WORK.has(kind)) ? enter("OBSERVE") : []),
      ...updates.map((update) => own(saidOf(update))),
    ],
    beat: (): EventFact => own(["heartbeat", { current_phase: phase, tokens_used: 1, cost_usd: 0 }]),
    crash: (): EventFact => fact("system.worker.terminated", { peerId: WORKER, pid: 7, signal: "SIGKILL" }),
    complete: (result: string): EventFact => own(["complete", { result, summary: "the end" }]),
  };
}
