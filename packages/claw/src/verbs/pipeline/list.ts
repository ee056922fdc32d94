import { askBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";
import type { ListedPipeline } from "./pipeline-entry.ts";
import { pipelineEntryOf } from "./pipeline-entry.ts";

const terminalsOf = ({ steps }: ListedPipeline, wanted: "source" | "sink"): string =>
  steps.flatMap(({ role, terminal_id }) => (role === wanted ? [terminal_id] : [])).join(", ");

export const handler = handle("pipeline list", {
  run: async (_input, ports) => {
    const { pipelines: known } = await askBus(ports, "pipeline.list");
    const pipelines = known.map(pipelineEntryOf);
    return { pipelines_count: pipelines.length, pipelines };
  },
  show: ({ pipelines }, paint) => {
    if (pipelines.length === 0) return "No pipelines.";
    const rows = pipelines.map((pipeline) => [
      pipeline.pipeline_id,
      pipeline.name,
      pipeline.state,
      terminalsOf(pipeline, "source"),
      terminalsOf(pipeline, "sink"),
    ]);
    return table(["PIPELINE", "NAME", "STATE", "FROM", "TO"], rows, paint);
  },
});
