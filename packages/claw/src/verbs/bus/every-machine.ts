import type { Observer } from "claw-client";
import type { ReceivedReply } from "claw-contract";
import { ClawError } from "claw-contract";

/** Requests that a daemon answers about the terminals and peers of its own machine. */
type LocalRequest = "list" | "peers";

export interface EveryReply<Name extends LocalRequest> {
  /** The answer of the asked daemon comes first. */
  readonly replies: readonly ReceivedReply<Name>[];
  /** The machine of the daemon that is asked, in a cluster. */
  readonly here: { readonly machine?: string };
  /** Machines that do not answer. */
  readonly unheard: readonly string[];
}

const isAway = (error: unknown): boolean => error instanceof ClawError && error.code === "MACHINE_AWAY";

/** Sends a request to the daemon, and through it to the daemons of all other machines of its cluster. */
export async function askEveryMachine<Name extends LocalRequest>(
  bus: Pick<Observer, "request">,
  name: Name,
): Promise<EveryReply<Name>> {
  const request = bus.request as (name: Name, fields: { on?: string }) => Promise<ReceivedReply<Name>>;
  const [{ machines }, own] = await Promise.all([bus.request("machine.list"), request(name, {})]);
  const here = machines.find((each) => each.here)?.name;
  const others = machines.filter((each) => !each.here);
  const asked = await Promise.all(
    others.map(async ({ name: machine, up }): Promise<ReceivedReply<Name> | string> => {
      if (!up) return machine;
      try {
        return await request(name, { on: machine });
      } catch (error) {
        if (isAway(error)) return machine;
        throw error;
      }
    }),
  );
  return {
    here: here === undefined ? {} : { machine: here },
    replies: [own, ...asked.filter((each) => typeof each !== "string")],
    unheard: asked.filter((each) => typeof each === "string"),
  };
}
