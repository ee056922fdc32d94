import type { OldHandlers } from "./old-tool.ts";
import { request } from "./old-tool.ts";

type Names =
  | "claws_task_assign"
  | "claws_task_update"
  | "claws_task_complete"
  | "claws_task_cancel"
  | "claws_task_list"
  | "claws_pipeline_create"
  | "claws_pipeline_list"
  | "claws_pipeline_close";

const OK = { ok: true } as const;

/** Tasks, and terminals that are joined. */
export const TASK_HANDLERS: OldHandlers<Names> = {
  claws_task_assign: (input, { ports }) => request(ports, "task.assign", input),
  claws_task_update: async (input, { ports }) => {
    await request(ports, "task.update", input);
    return OK;
  },
  claws_task_complete: async (input, { ports }) => {
    await request(ports, "task.complete", input);
    return OK;
  },
  claws_task_cancel: async (input, { ports }) => {
    await request(ports, "task.cancel", input);
    return OK;
  },
  claws_task_list: (input, { ports }) => request(ports, "task.list", input),
  claws_pipeline_create: (input, { ports }) => request(ports, "pipeline.create", input),
  claws_pipeline_list: (_input, { ports }) => request(ports, "pipeline.list"),
  claws_pipeline_close: (input, { ports }) => request(ports, "pipeline.close", input),
};
