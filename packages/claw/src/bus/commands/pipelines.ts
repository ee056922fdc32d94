import { idOf, isObject, textOf } from "../wire/read-payload.ts";
import type { Pipeline, PipelineStep } from "../state/pipelines.ts";
import { closePipelineAt } from "../state/pipelines.ts";
import type { Command } from "./command.ts";
import { error, ok, peerCommand } from "./command.ts";
import type { Decision } from "./decide.ts";
import { decideAndStore, decided, refuse } from "./decide.ts";

const STEPS_REQUIRED = "pipeline.create:steps-required (min 2 steps)";

function readSteps(value: unknown, pipelineId: string): PipelineStep[] | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const steps = value.flatMap((step: unknown, index): PipelineStep[] => {
    const { role, terminalId } = isObject(step) ? step : {};
    const terminal = idOf(terminalId);
    if ((role !== "source" && role !== "sink") || terminal === undefined) return [];
    return [{ stepId: `${pipelineId}_step_${index}`, role, terminalId: terminal, state: "active" }];
  });
  return steps.length === value.length ? steps : undefined;
}

/** Joins terminals: the bus types the output that a source publishes into the first sink. */
export const createPipeline = peerCommand(["orchestrator"], ({ context, request }, done) => {
  const roles = new Set(readSteps(request["steps"], "")?.map(({ role }) => role));
  if (roles.size === 0) return done(error(STEPS_REQUIRED));
  if (!roles.has("source")) return done(error("pipeline.create:source-step-required"));
  if (!roles.has("sink")) return done(error("pipeline.create:sink-step-required"));
  const pipelineId = context.nextPipelineId();
  const steps = readSteps(request["steps"], pipelineId) ?? [];
  const name = textOf(request["name"]) ?? "pipeline";
  const pipeline: Pipeline = { pipelineId, name, steps, state: "active", createdAt: context.timestamp() };
  const event = { topic: `pipeline.${pipelineId}.created`, payload: { ...pipeline } };
  const decide = (): Decision => decided([event], () => ({ pipelineId, pipeline }));
  return decideAndStore(context, { key: `pipeline ${pipelineId}`, decide }, done);
});

export const listPipelines: Command = {
  roles: undefined,
  run: ({ context }, done) => done(ok({ pipelines: context.state.pipelines.all() })),
};

/** Closes a pipeline. Closing a closed pipeline changes nothing. */
export const closePipeline = peerCommand(["orchestrator"], ({ context, request }, done) => {
  const pipelineId = textOf(request["pipelineId"]);
  if (pipelineId === undefined) return done(error("pipeline.close:pipelineId-required"));
  const decide = (): Decision | ReturnType<typeof refuse> => {
    const pipeline = context.state.pipelines.get(pipelineId);
    if (pipeline === undefined) return refuse(`pipeline.close:not-found:${pipelineId}`, { code: "PIPELINE_NOT_FOUND" });
    const { state, closedAt, steps } = closePipelineAt(pipeline, context.timestamp());
    const payload = { pipelineId, state, closedAt, steps };
    const events = pipeline.state === "closed" ? [] : [{ topic: `pipeline.${pipelineId}.closed`, payload }];
    return decided(events, () => ({ pipelineId }));
  };
  return decideAndStore(context, { key: `pipeline ${pipelineId}`, decide }, done);
});
