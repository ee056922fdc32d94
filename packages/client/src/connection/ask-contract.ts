import type { ReceivedReply, RequestName } from "claw-contract";
import { isReplyTo, misfitIn } from "claw-contract";
import type { Requests } from "./requests.ts";
import { misfitError } from "./wire-error.ts";

/**
 * Sends a request of the contract. Resolves with a reply that has the promised fields; rejects as `Requests.add`, and
 * with BUS_INCOMPATIBLE when a field is not as promised.
 */
export async function askContract<Name extends RequestName>(
  requests: Pick<Requests, "add">,
  name: Name,
  fields: Readonly<Record<string, unknown>>,
): Promise<ReceivedReply<Name>> {
  const reply = await requests.add(name, fields);
  if (isReplyTo(name, reply)) return reply;
  throw misfitError(name, misfitIn(name, reply) ?? "");
}
