import type { ToolOutput } from "claw-contract";
import { MAX_TOOL_WAIT_SECONDS } from "claw-contract";
import type { Ports, WorkersOutcome } from "../../../verbs/index.ts";
import { watchOutcome } from "../../../verbs/index.ts";
import { workerRow } from "./worker-row.ts";

const digestOf = ({ workers }: WorkersOutcome): string =>
  workers.map(({ name, state, reason }) => `${name}: ${state}${reason === "" ? "" : `, ${reason}`}`).join("\n");

export interface OutcomeAsked {
  readonly workers?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly wait_seconds?: number | undefined;
}

/** Waits for workers as long as a call may, and says where they stand. */
export async function outcomeData(asked: OutcomeAsked, ports: Ports): Promise<ToolOutput<"claws_wait">> {
  const { workers, cursor, wait_seconds: seconds = MAX_TOOL_WAIT_SECONDS } = asked;
  const outcome = await watchOutcome({ workers, cursor, waitMs: seconds * 1000 }, ports);
  return {
    status: outcome.status,
    workers: outcome.workers.map(workerRow),
    digest: digestOf(outcome),
    cursor: outcome.cursor,
  };
}
