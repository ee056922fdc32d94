import { ClawError } from "claw-contract";
import { askBus, tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import type { Ports } from "../runtime/handle.ts";

async function isOpen(id: string, ports: Ports): Promise<boolean> {
  const { pipelines } = await askBus(ports, "pipeline.list");
  const found = pipelines.find(({ pipelineId }) => pipelineId === id);
  if (found !== undefined) return found.state !== "closed";
  throw new ClawError("PIPELINE_NOT_FOUND", `there is no pipeline ${id}`, { operation: "find_pipeline", target: id });
}

export const handler = handle("pipeline close", {
  run: async ({ pipelineId, dryRun }, ports) => {
    const about = { pipeline_id: pipelineId };
    if (!(await isOpen(pipelineId, ports))) return { ...about, effect: "noop" };
    if (dryRun) return { ...about, effect: "would_delete", would_affect: [`pipeline.${pipelineId}.closed`] };
    await tellBus(ports, "pipeline.close", { pipelineId });
    return { ...about, effect: "deleted" };
  },
  show: ({ pipeline_id, effect }) => {
    if (effect === "noop") return `Pipeline ${pipeline_id} was closed before`;
    return effect === "deleted" ? `Closed pipeline ${pipeline_id}` : `Would close pipeline ${pipeline_id}`;
  },
});
