import { nonEmptyText } from "claw-contract";
import { appendEvents } from "../publish/store-event.ts";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { TypingShelves } from "../terminals/type-text.ts";
import type { Knowledge } from "./knowledge.ts";
import type { CommittedEvent, Projection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import type { Pipeline } from "./pipelines.ts";
import { typeText } from "../terminals/type-text.ts";

interface Reacting extends TypingShelves, Pick<Knowledge, "state">, Pick<ConnectedPeers, "calls"> {}

const answerCalls = (context: Pick<ConnectedPeers, "calls">): Projection => ({
  patterns: ["rpc.response.*.*"],
  apply: ({ topic, from, payload, live }) => {
    if (live) context.calls.answer(topic.slice(topic.lastIndexOf(".") + 1), from, fieldsOf(payload));
  },
});

const warnOfCost = (context: Reacting): Projection => ({
  patterns: ["worker.*.heartbeat", "worker.*.complete"],
  wants: () => context.state.budget.limits.thresholdsUsd.length > 0,
  apply: ({ live }) => {
    if (!live) return;
    const { budget } = context.state;
    for (const threshold of budget.takeCrossed()) {
      const payload = { current_usd: budget.spentUsd(), threshold_usd: threshold };
      appendEvents(context, [{ topic: "system.budget.warning", payload }], (outcome) => {
        if (outcome instanceof Error) budget.giveBack(threshold);
      });
    }
  },
});

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
      void feed(context, pipeline, event);
    }
  },
});

/** Actions of the bus after certain commits. None of them runs again when a start replays history. */
export const createReactions = (context: Reacting): Projection[] => [
  answerCalls(context),
  warnOfCost(context),
  feedPipelines(context),
];
