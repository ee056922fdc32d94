import type { VerbOutput } from "@claw/contract";
import { isoTime } from "../ask-bus.ts";

export interface WirePipeline {
  readonly pipelineId: string;
  readonly name: string;
  readonly state: string;
  readonly createdAt: number | string;
  readonly steps: readonly { readonly stepId: string; readonly role: "source" | "sink"; readonly terminalId: string }[];
}

export type PipelineEntry = VerbOutput<"pipeline list">["pipelines"][number];

/** A pipeline of the wire as claw spells it. */
export const entryOf = ({ pipelineId, name, state, createdAt, steps }: WirePipeline): PipelineEntry => ({
  pipeline_id: pipelineId,
  name,
  state,
  created_at: isoTime(createdAt),
  steps: steps.map(({ stepId, role, terminalId }) => ({ step_id: stepId, role, terminal_id: terminalId })),
});
