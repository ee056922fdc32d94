import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "../bus/open-bus.ts";
import { pipelineEntryOf } from "./pipeline-entry.ts";

export const handler = handle("pipeline create", {
  run: async ({ source, sink, name, dryRun }, ports) => {
    if (dryRun) {
      requireDaemon(ports);
      return { pipeline: null, effect: "would_create", would_affect: ["pipeline.*.created"] };
    }
    const steps = [
      { role: "source", terminalId: source },
      { role: "sink", terminalId: sink },
    ] as const;
    const { pipeline } = await tellBus(ports, "pipeline.create", { steps, ...(name === undefined ? {} : { name }) });
    return { pipeline: pipelineEntryOf(pipeline), effect: "created" };
  },
  show: ({ pipeline }) =>
    pipeline === null ? "Would join the terminals" : `Pipeline ${pipeline.pipeline_id} joins the terminals`,
});
