import * as z from "zod";
import { bareEvent } from "../event-row.ts";
import { list, text, timestamp } from "../fields.ts";

const pipelineId = text("The pipeline this is about.");
/** The fields of a step. */
export const STEP_FIELDS = {
  stepId: text("The step."),
  role: z.enum(["source", "sink"]).describe("Side of the pipeline it is on."),
  terminalId: text("Terminal at the step."),
  state: z.enum(["active", "degraded", "closed"]).describe("State of the step."),
};

export const PipelineStep = z.looseObject({ pipelineId, ...STEP_FIELDS, ts: timestamp("When.") });
export const PipelineCreated = z.looseObject({
  pipelineId,
  name: text("Its name for people."),
  steps: list(z.looseObject(STEP_FIELDS), "Terminals that are joined, in order."),
  state: z.literal("active").describe("A new pipeline is active."),
  createdAt: timestamp("When it was made."),
});
export const PipelineClosed = z.looseObject({
  pipelineId,
  state: z.literal("closed").describe("What became of it."),
  closedAt: timestamp("When."),
  steps: list(z.looseObject(STEP_FIELDS), "Terminals that were joined, in order."),
});

export const PIPELINE_EVENTS = [
  bareEvent({
    address: "pipeline.{pipelineId}.step.{stepId}",
    name: "pipeline-step-v1",
    schema: PipelineStep,
    summary: "Output went through a step of a pipeline.",
  }),
  bareEvent({
    address: "pipeline.{pipelineId}.created",
    name: "pipeline-created-v1",
    schema: PipelineCreated,
    summary: "Terminals were joined to a pipeline.",
  }),
  bareEvent({
    address: "pipeline.{pipelineId}.closed",
    name: "pipeline-closed-v1",
    schema: PipelineClosed,
    summary: "A pipeline was taken apart.",
  }),
] as const;
