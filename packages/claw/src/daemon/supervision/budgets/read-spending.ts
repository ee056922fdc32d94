import type { BudgetLimit, LedgerFact } from "claw-contract";
import { LIFE_TOPICS, nonEmptyText, numberOf, textsOf } from "claw-contract";
import type { CommittedEvent } from "../../../bus/index.ts";
import { fieldsOf, refusedTopic } from "../../../bus/index.ts";

export const SPENDING_TOPICS = [
  ...LIFE_TOPICS.filter((topic) => !topic.startsWith("cmd.")),
  "system.budget.set",
  "system.budget.exceeded",
  "system.budget.warning",
  "system.budget.unmeasurable",
  "system.gate.fired",
];

/** A limit as it stands in an event or a request; a unit that is no amount has none. */
export function limitOf(value: unknown): BudgetLimit {
  const { usd, tokens } = fieldsOf(value);
  const [dollars, count] = [numberOf(usd), numberOf(tokens)];
  return {
    ...(dollars === undefined || dollars < 0 ? {} : { usd: dollars }),
    ...(count === undefined || count < 0 ? {} : { tokens: count }),
  };
}

function spawnedFact(fields: Readonly<Record<string, unknown>>, peerId: string): LedgerFact {
  return {
    kind: "spawned",
    peerId,
    parentId: nonEmptyText(fields["parent_id"]) ?? null,
    fleet: nonEmptyText(fields["fleet"]) ?? null,
    run: numberOf(fields["attempt"]) ?? 1,
    limit: limitOf(fields["budget"]),
    runLimit: limitOf(fieldsOf(fields["budget"])["run"]),
  };
}

/** Usage that a life spent and could not report. */
function unreportedFact({ payload, tsServer }: CommittedEvent, dayOf: (iso: string) => string): LedgerFact[] {
  const { peerId, unreported } = fieldsOf(payload);
  const { tokens, cost_usd: usd } = fieldsOf(unreported);
  const [id, sums] = [nonEmptyText(peerId), { usd: numberOf(usd) ?? 0, tokens: numberOf(tokens) ?? 0 }];
  if (id === undefined || (sums.usd <= 0 && sums.tokens <= 0)) return [];
  return [{ kind: "unreported", peerId: id, sums, day: dayOf(tsServer) }];
}

function serverFact({ topic, payload }: CommittedEvent): LedgerFact | undefined {
  const fields = fieldsOf(payload);
  if (topic === "system.budget.exceeded") return { kind: "stopped", peerIds: textsOf(fields["stopped"]) };
  const { scope } = fields;
  const [id, peerId] = [nonEmptyText(fields["id"]), nonEmptyText(fields["peerId"])];
  if (topic === "system.budget.set" && id !== undefined && (scope === "fleet" || scope === "worker")) {
    return { kind: "limited", scope, id, limit: limitOf(fields["budget"]) };
  }
  if (peerId === undefined) return undefined;
  return topic === "system.worker.spawned" ? spawnedFact(fields, peerId) : undefined;
}

/** Sums that a worker gave, as far as they are amounts. */
function sumsIn(topic: string, fields: Readonly<Record<string, unknown>>): { usd?: number; tokens?: number } {
  const whole = topic.endsWith(".complete");
  const usd = numberOf(fields[whole ? "total_cost_usd" : "cost_usd"]);
  const tokens = numberOf(fields[whole ? "total_tokens" : "tokens_used"]);
  return { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
}

/** A second boot, which the bus refused: the worker's process counts from zero again, in the same run. */
function refusedBoot(event: CommittedEvent): LedgerFact[] {
  const [family, peerId, action] = refusedTopic(event)?.split(".") ?? [];
  return family === "worker" && action === "boot" && peerId !== undefined ? [{ kind: "recounts", peerId }] : [];
}

/** Facts about spending in an event, in order. `dayOf` gives the date of a time. */
export function readSpending(event: CommittedEvent, dayOf: (iso: string) => string): readonly LedgerFact[] {
  const { topic, from, payload, tsServer } = event;
  if (topic === "system.gate.fired") return refusedBoot(event);
  if (topic.startsWith("system.")) {
    const fact = from === "server" ? serverFact(event) : undefined;
    const late = from === "server" && topic === "system.worker.terminated" ? unreportedFact(event, dayOf) : [];
    return fact === undefined ? late : [...late, fact];
  }
  const [, peerId = ""] = topic.split(".");
  const fields = fieldsOf(payload);
  if (topic.endsWith(".boot")) {
    return [{ kind: "booted", peerId, parentId: nonEmptyText(fields["parent_peer_id"]) ?? null }];
  }
  if (!topic.endsWith(".heartbeat") && !topic.endsWith(".complete")) return [];
  const isEstimate = fields["cost_estimated"] === true;
  const sums = sumsIn(topic, fields);
  return [{ kind: "reported", peerId, sums, isEstimate, day: dayOf(tsServer) }];
}
