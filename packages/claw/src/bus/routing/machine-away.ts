import { ClawError } from "claw-contract";
import type { EventLog } from "../log/index.ts";
import type { Refused } from "../requests/request-handler.ts";
import { error } from "../requests/request-handler.ts";

/** How long an asker waits before it asks again. */
export const AGAIN_MS = 2000;

/** The daemon of a machine does not answer. */
export const machineAway = (machine: string, why: string): ClawError =>
  new ClawError("MACHINE_AWAY", `the daemon of machine ${machine} ${why}`, {
    operation: "ask_machine",
    target: machine,
    retryAfterMs: AGAIN_MS,
  });

/** Refuses a request about another machine that was not passed on: this daemon is in no cluster. */
export function refuseOther(
  { log }: { readonly log: Pick<EventLog, "machine"> },
  { on }: { readonly on?: string | undefined },
): Refused | undefined {
  if (on === undefined || on === log.machine) return undefined;
  const hint = "Leave out the machine, or start the daemon in a cluster: claw up --bus nats://HOST";
  return error(`this daemon cannot ask machine ${on.slice(0, 100)}`, { code: "INVALID_FLAG_VALUE", hint });
}
