import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Timestamp } from "../../verb/output-parts.ts";
import { PAGE_ROLES } from "../../wire/requests/page/open.ts";

export const dashboard = defineVerb({
  name: "dashboard",
  group: "workers",
  summary: "Open the page of this folder's daemon in a browser: see the workers, answer them, review their work.",
  input: z.object({
    noOpen: z.boolean().default(false).describe("Print the link, and open no browser."),
    role: z
      .enum(PAGE_ROLES)
      .default("orchestrator")
      .describe("An observer sees everything and changes nothing; an orchestrator acts as well."),
    expires: z
      .string()
      .regex(/^[1-9]\d{0,7}[smhd]$/)
      .default("30d")
      .describe("How long the browser's session is valid: a number and s, m, h or d."),
    http: z
      .string()
      .optional()
      .describe("Serve the page at host:port, for example to a phone, instead of a free port of this machine."),
    tlsCert: z.string().optional().describe("Certificate for --http, a PEM file."),
    tlsKey: z.string().optional().describe("Key for --http, a PEM file."),
    insecure: z.boolean().default(false).describe("Let other machines connect without TLS."),
  }),
  output: z.object({
    url: z
      .string()
      .nullable()
      .describe("Link with a one-time code for one browser; null in a dry run and in a repeated answer."),
    urls: z.array(z.string()).nullable().describe("The same link by each name of this machine; null like url."),
    expires_at: Timestamp.describe("When the link ends."),
    role: z.enum(PAGE_ROLES),
    public: z.boolean().describe("Whether other machines reach the address."),
    opened: z.boolean().describe("Whether a browser was opened."),
    ...changeFields,
  }),
  errors: [...BUS_ERRORS, "DAEMON_FAILED"],
  effect: "write",
  shownOnce: ["url", "urls"],
  examples: [
    { description: "In the browser of this machine", command: "claw dashboard" },
    {
      description: "On a phone, which shows what happens and cannot act",
      command: "claw dashboard --http 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --role observer",
    },
    { description: "For a script", command: "claw dashboard --no-open --output-format json" },
  ],
});
