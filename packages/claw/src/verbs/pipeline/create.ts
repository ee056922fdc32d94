import { tellBus } from "../ask-bus.ts";
import { handle } from "../handle.ts";
import { requireDaemon } from "../open-bus.ts";
import { entryOf } from "./pipeline-entry.ts";

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
    return { pipeline: entryOf(pipeline), effect: "created" };
  },
  show: ({ pipeline }) =>
    pipeline === null ? "Would join the terminals" : `Pipeline ${pipeline.pipeline_id} joins the terminals`,
});
