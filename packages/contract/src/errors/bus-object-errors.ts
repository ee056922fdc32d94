import { failure, missing, precondition } from "./error-row.ts";

/** What the bus keeps besides workers: tokens, terminals, tasks and the like. */
export const busObjectErrors = {
  NO_SUCH_TOKEN: missing("token_not_found", "List the valid tokens: claw tokens list.", { class: "auth" }),
  EXEC_FAILED: failure("exec_failed", "Read the output in the answer; the terminal is still open: claw terminal list."),
  TASK_NOT_FOUND: missing("task_not_found", "List the tasks: claw tasks list.", { class: "delivery" }),
  TICKET_NOT_FOUND: missing("ticket_not_found", "Wait for the workers by their names, with claw wait; see claw ps.", {
    class: "delivery",
  }),
  TICKETS_FULL: precondition("tickets_full", "Wait until open tickets are done, or cancel some.", {
    class: "policy",
    exit: "CONFLICT",
  }),
  WAVE_NOT_FOUND: missing("wave_not_found", "Create the wave first, with claw wave create.", {
    class: "delivery",
  }),
  PIPELINE_NOT_FOUND: missing("pipeline_not_found", "List the pipelines: claw pipeline list.", {
    class: "delivery",
  }),
  LIFECYCLE_REFUSED: precondition("lifecycle_refused", "See the phase of the mission: claw lifecycle show.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  RPC_FAILED: failure("rpc_failed", "The peer refused the call; correct the method or its parameters.", {
    class: "delivery",
  }),
} as const;
