import type { VerbOutput } from "claw-contract";
import type { Paint } from "../../runtime/paint.ts";
import { qrText } from "./qr/qr-text.ts";

/** What a link needs to be shown. */
export type ShownLink = Pick<
  VerbOutput<"dashboard">,
  "url" | "urls" | "expires_at" | "role" | "public" | "opened" | "effect"
>;

const clock = (iso: string): string => new Date(iso).toTimeString().slice(0, 5);

const ROLE_TEXT = { orchestrator: "may act", observer: "sees everything and changes nothing" } as const;

/** How a person gets from the link to the page. */
function wayTo({ url, public: isPublic, opened }: ShownLink): string {
  if (opened) return "Opened in your browser.";
  if (isPublic) return "Scan it with the phone, or open the link in a browser.";
  const { port } = new URL(url ?? "");
  return `Open the link in a browser on this machine. From another one, over ssh: ssh -L ${port}:127.0.0.1:${port} HOST`;
}

/** A code for a phone that reads the link from the terminal. */
function codeOf({ url, public: isPublic }: ShownLink, { columns, bold }: Paint): string[] {
  if (!isPublic || url === null || columns === Infinity) return [];
  return [qrText(url, { columns, isColoured: bold("") !== "" })].filter((code) => code !== "");
}

/** A link to the page, for people. */
export function showLink(link: ShownLink, paint: Paint): string {
  const { url, urls, expires_at, role, effect } = link;
  if (url === null && effect === "would_create") return "Would make a link to the page.";
  if (url === null) return "The link was shown when it was made, and is kept nowhere. Make another: claw dashboard.";
  const links = (urls ?? [url]).map(paint.cyan);
  const valid = `Valid until ${clock(expires_at)} for one browser, which ${ROLE_TEXT[role]}.`;
  return [...links, ...codeOf(link, paint), wayTo(link), paint.dim(valid)].join("\n");
}
