import type { ReadRequest } from "claw-contract";
import type { Pipeline, StoredPipelineStep } from "../state/pipelines.ts";
import { closePipelineAt } from "../state/pipelines.ts";
import { decideAndStore, decided } from "./decide.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

type GivenSteps = ReadRequest<"pipeline.create">["steps"];

const stepsOf = (given: GivenSteps, pipelineId: string): StoredPipelineStep[] =>
  given.map(({ role, terminalId }, index) => ({
    stepId: `${pipelineId}_step_${index}`,
    role,
    terminalId: String(terminalId),
    state: "active",
  }));

/** Joins terminals: the bus types the output that a source publishes into the first sink. */
export const handleCreatePipeline = handleRequest("pipeline.create", ({ context, request }, done) => {
  const roles = new Set(request.steps.map(({ role }) => role));
  if (!roles.has("source")) return done(error("pipeline.create:source-step-required"));
  if (!roles.has("sink")) return done(error("pipeline.create:sink-step-required"));
  const pipelineId = context.nextPipelineId();
  const steps = stepsOf(request.steps, pipelineId);
  const { name = "pipeline" } = request;
  const pipeline: Pipeline = { pipelineId, name, steps, state: "active", createdAt: context.timestamp() };
  const event = { topic: `pipeline.${pipelineId}.created`, payload: { ...pipeline } };
  const decide = () => decided([event], () => ({ pipelineId, pipeline }));
  return decideAndStore(context, { key: `pipeline ${pipelineId}`, decide }, done);
});

export const handleListPipelines = handleRequest("pipeline.list", ({ context }, done) =>
  done(ok({ pipelines: context.state.pipelines.all() })),
);

/** Closes a pipeline. Closing a closed pipeline changes nothing. */
export const handleClosePipeline = handleRequest("pipeline.close", ({ context, request: { pipelineId } }, done) => {
  const decide = () => {
    const pipeline = context.state.pipelines.get(pipelineId);
    if (pipeline === undefined) return error(`pipeline.close:not-found:${pipelineId}`, { code: "PIPELINE_NOT_FOUND" });
    const { state, closedAt, steps } = closePipelineAt(pipeline, context.timestamp());
    const payload = { pipelineId, state, closedAt, steps };
    const events = pipeline.state === "closed" ? [] : [{ topic: `pipeline.${pipelineId}.closed`, payload }];
    return decided(events, () => ({ pipelineId }));
  };
  return decideAndStore(context, { key: `pipeline ${pipelineId}`, decide }, done);
});
