import { resolve } from "node:path";
import type { ReceivedReply, VerbInput, VerbOutput } from "claw-contract";
import { lifetimeOf } from "../../tokens/create.ts";
import type { Ports } from "../../runtime/handle.ts";
import { onBus } from "../ask-bus.ts";
import { openBrowser } from "./open-browser.ts";

/** What is asked of the page. */
export type PageWish = Pick<
  VerbInput<"dashboard">,
  "role" | "expires" | "http" | "tlsCert" | "tlsKey" | "insecure" | "noOpen"
>;

function requestLink(wish: PageWish, ports: Ports): Promise<ReceivedReply<"page.open">> {
  const { role, expires, http, tlsCert, tlsKey, insecure } = wish;
  const path = (name: "tlsCert" | "tlsKey", given: string | undefined) =>
    given === undefined ? {} : { [name]: resolve(ports.cwd, given) };
  const address = http === undefined ? {} : { address: http, insecure };
  const tls = { ...path("tlsCert", tlsCert), ...path("tlsKey", tlsKey) };
  return onBus(ports, (bus) => bus.request("page.open", { role, lifetimeMs: lifetimeOf(expires), ...address, ...tls }));
}

/** A browser is opened for a person at a terminal, on the machine where that person is. */
const mayOpen = ({ noOpen }: PageWish, { terminal, forPeople }: Ports, isPublic: boolean): boolean =>
  !noOpen && !isPublic && forPeople && terminal !== null;

/** Makes a link to the page of the working folder's daemon, and opens the link where a person has a browser. */
export async function openPage(wish: PageWish, ports: Ports): Promise<VerbOutput<"dashboard">> {
  const { urls, expiresAt, isPublic } = await requestLink(wish, ports);
  const [url = null] = urls;
  const opened = url !== null && mayOpen(wish, ports, isPublic) && (await openBrowser(url, ports.env));
  const expires_at = new Date(expiresAt).toISOString();
  return { url, urls: [...urls], expires_at, role: wish.role, public: isPublic, opened, effect: "created" };
}
