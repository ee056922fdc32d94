import type { ReplyFields } from "claw-contract";
import { LIMITS, nonEmptyText } from "claw-contract";
import type { StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";

export type Pipeline = ReplyFields<"pipeline.list">["pipelines"][number];
export type StoredPipelineStep = Pipeline["steps"][number];

export interface Pipelines extends StoredProjection {
  get(pipelineId: string): Pipeline | undefined;
  all(): readonly Pipeline[];
  /** Active pipelines that have the terminal as a source. */
  fedBy(terminalId: string): readonly Pipeline[];
  /** A number that no pipeline ever had. */
  issue(): number;
  /** The highest number that was given or stands in the log; 0 without any. */
  highest(): number;
}

/** Logs and snapshots of older versions have times in milliseconds. */
function withTexts(pipeline: Pipeline): Pipeline {
  const times = Object.entries({ createdAt: pipeline.createdAt, closedAt: pipeline.closedAt } as object);
  const texts = times.flatMap(([name, at]) => (typeof at === "number" ? [[name, new Date(at).toISOString()]] : []));
  return { ...pipeline, ...Object.fromEntries(texts) };
}

export function closePipelineAt(pipeline: Pipeline, closedAt: string): Pipeline {
  const steps = pipeline.steps.map((step) => ({ ...step, state: "closed" as const }));
  return { ...pipeline, steps, state: "closed", closedAt };
}

interface Saved {
  readonly pipelines: readonly Pipeline[];
  readonly issued: number;
}

export function createPipelines(): Pipelines {
  const pipelines = new Map<string, Pipeline>();
  let issued = 0;
  const add = (payload: unknown): void => {
    const fields = fieldsOf(payload);
    const id = nonEmptyText(fields["pipelineId"]);
    if (id === undefined || !Array.isArray(fields["steps"])) return;
    pipelines.set(id, withTexts(fields as unknown as Pipeline));
    issued = Math.max(issued, Number(/^pipe_(\d+)$/.exec(id)?.[1] ?? 0));
  };
  const close = (pipelineId: string, closedAt: string): void => {
    const pipeline = pipelines.get(pipelineId);
    if (pipeline !== undefined) pipelines.set(pipelineId, closePipelineAt(pipeline, closedAt));
    const closed = [...pipelines.values()].filter(({ state }) => state === "closed");
    if (closed.length > LIMITS.closedRecords && closed[0] !== undefined) pipelines.delete(closed[0].pipelineId);
  };
  return {
    patterns: ["pipeline.*.created", "pipeline.*.closed"],
    apply: ({ topic, from, payload, tsServer }) => {
      const [, pipelineId = "", kind] = topic.split(".");
      if (from !== "server") return;
      if (kind === "created") add(payload);
      else close(pipelineId, nonEmptyText(fieldsOf(payload)["closedAt"]) ?? tsServer);
    },
    save: (): Saved => ({ pipelines: [...pipelines.values()], issued }),
    load: (saved) => {
      const known = saved as Saved;
      for (const pipeline of known.pipelines) pipelines.set(pipeline.pipelineId, withTexts(pipeline));
      issued = known.issued;
    },
    get: (pipelineId) => pipelines.get(pipelineId),
    all: () => [...pipelines.values()],
    fedBy: (terminalId) =>
      [...pipelines.values()].filter(
        ({ state, steps }) =>
          state === "active" && steps.some((step) => step.role === "source" && step.terminalId === terminalId),
      ),
    issue: () => (issued += 1),
    highest: () => issued,
  };
}
