import type { WireRole } from "claw-contract";
import { nonEmptyText } from "claw-contract";
import type { Store } from "../publish/store-event.ts";
import { appendEvents } from "../publish/store-event.ts";
import type { Turns } from "../leases/judges.ts";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { BroadcastShelves } from "../delivery/tell-targets.ts";
import { BROADCAST_TOPIC, targetsOf, tellTargets } from "../delivery/tell-targets.ts";
import type { Knowledge } from "./knowledge.ts";
import type { CommittedEvent, Projection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import type { Pipeline } from "./pipelines.ts";
import { typeText } from "../terminals/type-text.ts";

interface Reacting
  extends BroadcastShelves, Pick<Knowledge, "state" | "belonging">, Pick<ConnectedPeers, "calls">, Warning {}

const answerCalls = (context: Pick<ConnectedPeers, "calls">): Projection => ({
  patterns: ["rpc.response.*.*"],
  apply: ({ topic, from, payload, live }) => {
    if (live) context.calls.answer(topic.slice(topic.lastIndexOf(".") + 1), from, fieldsOf(payload));
  },
});

/** Shelves that warn of the cost of all workers. */
interface Warning extends Store, Pick<Knowledge, "state"> {
  readonly turns: Pick<Turns, "once">;
}

/**
 * Warns of the thresholds that the cost of all workers has crossed, each once. The daemons of a cluster may have different
 * caps: one of those with the same cap warns.
 */
export function warnOfCost(context: Warning): void {
  const { budget } = context.state;
  const { capUsd, thresholdsUsd } = budget.limits;
  const mandate = thresholdsUsd.length === 0 ? undefined : context.turns.once(`cap.${capUsd ?? "none"}`);
  if (mandate === undefined) return;
  for (const threshold of budget.takeCrossed()) {
    const payload = { current_usd: budget.spentUsd(), threshold_usd: threshold };
    const event = { topic: "system.budget.warning", payload, id: `budget-warning workspace ${threshold}`, ...mandate };
    appendEvents(context, [event], (outcome) => {
      if (outcome instanceof Error) budget.giveBack(threshold);
    });
  }
}

const warnAtOnce = (context: Reacting): Projection => ({
  patterns: ["worker.*.heartbeat", "worker.*.complete"],
  wants: () => context.state.budget.limits.thresholdsUsd.length > 0,
  apply: ({ live }) => {
    if (live) warnOfCost(context);
  },
});

/** Whether this daemon feeds a pipeline: that of the sink's machine, or of the event's when the sink is not known. */
function feedsHere({ state, belonging, log }: Reacting, { steps }: Pipeline, event: CommittedEvent): boolean {
  const sink = steps.find(({ role }) => role === "sink");
  const machine = state.terminals.get(sink?.terminalId ?? "")?.machine;
  return machine === undefined ? belonging.isOurs(event) : machine === log.machine;
}

/** Types a source's output into the first sink, then publishes whether the sink took it. */
async function feed(context: Reacting, pipeline: Pipeline, { topic, payload }: CommittedEvent): Promise<void> {
  const source = pipeline.steps.find((step) => step.role === "source" && topic.split(".")[1] === step.terminalId);
  const sink = pipeline.steps.find(({ role }) => role === "sink");
  if (source === undefined || sink === undefined) return;
  const text = nonEmptyText(fieldsOf(payload)["text"]) ?? JSON.stringify(payload ?? null);
  let state = "active";
  try {
    await typeText(context, { terminalId: sink.terminalId, text, paste: false });
  } catch (error) {
    state = "degraded";
    context.report(`${pipeline.pipelineId}: terminal ${sink.terminalId} took nothing: ${String(error)}`);
  }
  const { pipelineId } = pipeline;
  const { stepId, role, terminalId } = source;
  const step = { pipelineId, stepId, role, terminalId, state, ts: context.timestamp() };
  appendEvents(context, [{ topic: `pipeline.${pipelineId}.step.${stepId}`, payload: step }], () => undefined);
}

const feedPipelines = (context: Reacting): Projection => ({
  patterns: ["output.*.**"],
  wants: ({ topic }) => context.state.pipelines.fedBy(topic.split(".")[1] ?? "").length > 0,
  apply: (event) => {
    if (!event.live) return;
    for (const pipeline of context.state.pipelines.fedBy(event.topic.split(".")[1] ?? "")) {
      if (feedsHere(context, pipeline, event)) void feed(context, pipeline, event);
    }
  },
});

/** Passes a broadcast of another machine on to this machine's peers. */
const passBroadcasts = (context: Reacting): Projection => ({
  patterns: [BROADCAST_TOPIC],
  wants: ({ machine }) => machine !== undefined && machine !== context.log.machine,
  apply: ({ from, payload, live }) => {
    const { text, targetRole, inject } = fieldsOf(payload);
    if (!live || typeof text !== "string" || typeof targetRole !== "string") return;
    const targets = targetsOf(context, { targetRole: targetRole as WireRole | "all" });
    void tellTargets(context, targets, { text, from, inject: inject === true });
  },
});

/** Actions of the bus after certain commits. None of them runs again when a start replays history. */
export const createReactions = (context: Reacting): Projection[] => [
  answerCalls(context),
  warnAtOnce(context),
  feedPipelines(context),
  passBroadcasts(context),
];
