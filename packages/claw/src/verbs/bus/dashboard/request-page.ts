import { resolve } from "node:path";
import type { ReceivedReply, VerbInput } from "claw-contract";
import { lifetimeOf } from "../../tokens/create.ts";
import type { Ports } from "../../runtime/handle.ts";
import { onBus } from "../ask-bus.ts";

type PageInput = Pick<VerbInput<"dashboard">, "role" | "expires" | "http" | "tlsCert" | "tlsKey" | "insecure">;

/** A link to the page of the working folder's daemon. */
export function requestPage(input: PageInput, ports: Ports): Promise<ReceivedReply<"page.open">> {
  const { role, expires, http, tlsCert, tlsKey, insecure } = input;
  const path = (name: "tlsCert" | "tlsKey", given: string | undefined) =>
    given === undefined ? {} : { [name]: resolve(ports.cwd, given) };
  const address = http === undefined ? {} : { address: http, insecure };
  const tls = { ...path("tlsCert", tlsCert), ...path("tlsKey", tlsKey) };
  return onBus(ports, (bus) => bus.request("page.open", { role, lifetimeMs: lifetimeOf(expires), ...address, ...tls }));
}
