import type { ReceivedReply, VerbOutput } from "claw-contract";
import { isoTime } from "claw-contract";

export type ListedPipeline = VerbOutput<"pipeline list">["pipelines"][number];

/** A pipeline of the wire as claw spells it. */
export const pipelineEntryOf = ({
  pipelineId,
  name,
  state,
  createdAt,
  steps,
}: ReceivedReply<"pipeline.list">["pipelines"][number]): ListedPipeline => ({
  pipeline_id: pipelineId,
  name,
  state,
  created_at: isoTime(createdAt),
  steps: steps.map(({ stepId, role, terminalId }) => ({ step_id: stepId, role, terminal_id: terminalId })),
});
