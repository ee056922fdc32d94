import type { ReceivedReply, RequestName } from "claw-contract";
import type * as Checks from "claw-contract/checks";
import { loadChecks } from "./load-checks.ts";
import type { Requests } from "./requests.ts";
import { misfitError } from "./wire-error.ts";

/**
 * Sends a request of the contract. Resolves with a reply that has the promised fields; rejects as `Requests.add`, and
 * with BUS_INCOMPATIBLE when a field is not as promised.
 */
export type AskContract = <Name extends RequestName>(
  name: Name,
  fields: Readonly<Record<string, unknown>>,
) => Promise<ReceivedReply<Name>>;

/**
 * The shapes of the replies are loaded with the first request, because many pages only read events. They are loaded
 * before the request is sent: a request whose reply cannot be checked would change something and still fail.
 */
export function createAskContract(requests: Pick<Requests, "add">, load = loadChecks): AskContract {
  let checks: Promise<typeof Checks> | undefined;
  const loadOnce = async (): Promise<typeof Checks> => {
    try {
      return await (checks ??= load());
    } catch (error) {
      checks = undefined;
      throw error;
    }
  };
  return async (name, fields) => {
    const loaded = loadOnce();
    const reply = await requests.add(name, fields, loaded);
    const { isReplyTo, misfitIn } = await loaded;
    if (isReplyTo(name, reply)) return reply;
    throw misfitError(name, misfitIn(name, reply) ?? "");
  };
}
