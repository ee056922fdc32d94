import type { Orchestrator } from "claw-client";
import { ClawError } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { openBrowser } from "../../bus/dashboard/open-browser.ts";

/** A link to the page of the demonstration's daemon. */
export interface DemoLink {
  readonly url: string;
  readonly expires_at: string;
}

/** The link; the reason why there is none, where the page cannot be served. */
export async function makeDemoLink(bus: Orchestrator): Promise<DemoLink | string> {
  try {
    const { urls, expiresAt } = await bus.request("page.open", { role: "orchestrator" });
    return { url: urls[0] ?? "", expires_at: new Date(expiresAt).toISOString() };
  } catch (error) {
    if (error instanceof ClawError) return error.message;
    throw error;
  }
}

/** Opens the link in the browser of a person who watches. Resolves with false where there is no browser. */
export const openDemoLink = (link: DemoLink | string, noOpen: boolean, { env }: Ports): Promise<boolean> =>
  typeof link === "string" || noOpen ? Promise.resolve(false) : openBrowser(link.url, env);
