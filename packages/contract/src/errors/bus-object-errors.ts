import { failure, missing, precondition } from "./error-row.ts";

/** What the bus keeps besides workers: tokens, terminals, tasks and the like. */
export const busObjectErrors = {
  NO_SUCH_TOKEN: missing("token_not_found", "See which tokens hold: claw tokens list.", { class: "auth" }),
  EXEC_FAILED: failure("exec_failed", "Its output is in the answer; the terminal is still open: claw terminal list."),
  TASK_NOT_FOUND: missing("task_not_found", "See which tasks there are: claw tasks list.", { class: "delivery" }),
  WAVE_NOT_FOUND: missing("wave_not_found", "Create it first, with claw wave create.", {
    class: "delivery",
  }),
  PIPELINE_NOT_FOUND: missing("pipeline_not_found", "See which pipelines there are: claw pipeline list.", {
    class: "delivery",
  }),
  LIFECYCLE_REFUSED: precondition("lifecycle_refused", "See where the mission stands: claw lifecycle show.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  RPC_FAILED: failure("rpc_failed", "The peer itself refused; correct the method or its parameters.", {
    class: "delivery",
  }),
} as const;
