import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, orElse, Word } from "../../define-request.ts";

/** Roles that a browser may have. */
export const PAGE_ROLES = ["orchestrator", "observer"] as const;

export const openPageRequest = defineRequest({
  name: "page.open",
  summary: "Serves the page for browsers, and makes a link with a one-time code that gives one browser a session.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({
    role: orElse(z.enum(PAGE_ROLES), "orchestrator").describe("Role of the browser."),
    lifetimeMs: orElse(z.number().min(1).max(LIMITS.tokenLifetimeMaxMs), LIMITS.pageSessionMs).describe(
      "How long the browser's session is valid.",
    ),
    address: orElse(Word, "").describe(
      "host:port to serve the page at; by default a free port that only this machine reaches. Only for clients of the unix socket, like the fields below.",
    ),
    tlsCert: orElse(Word, "").describe("Certificate for the address, the path of a PEM file."),
    tlsKey: orElse(Word, "").describe("Key for the address, the path of a PEM file."),
    insecure: orElse(z.boolean(), false).describe("Lets other machines connect without TLS."),
  }),
  reply: z.object({
    urls: z.array(z.string()).describe("The link, for each name of this machine that leads to the address. Not empty."),
    expiresAt: z.number().describe("When the code ends, in milliseconds."),
    isPublic: z.boolean().describe("Whether other machines reach the address."),
  }),
});
