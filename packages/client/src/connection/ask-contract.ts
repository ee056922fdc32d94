import type { ReceivedReply, RequestName } from "claw-contract";
import type * as Replies from "claw-contract/replies";
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

/** The shapes of the replies are loaded with the first reply, because many pages only read and publish events. */
export function createAskContract(requests: Pick<Requests, "add">): AskContract {
  let replies: typeof Replies | undefined;
  return async (name, fields) => {
    const reply = await requests.add(name, fields);
    replies ??= await import("claw-contract/replies");
    if (replies.isReplyTo(name, reply)) return reply;
    throw misfitError(name, replies.misfitIn(name, reply) ?? "");
  };
}
