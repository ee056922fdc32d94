import { missing } from "./error-row.ts";

/** What the bus keeps besides workers: tokens, terminals, tasks and the like. */
export const busObjectErrors = {
  NO_SUCH_TOKEN: missing("token_not_found", "See which tokens hold: claw tokens list.", { class: "auth" }),
} as const;
