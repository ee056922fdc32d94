import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { requireDaemon } from "../open-bus.ts";
import { lifetimeOf } from "../../tokens/create.ts";
import { openBrowser } from "./open-browser.ts";
import { requestPage } from "./request-page.ts";
import { showLink } from "./show-link.ts";

type Input = VerbInput<"dashboard">;
type Output = VerbOutput<"dashboard">;

const flagError = (flag: string, message: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "parse_arguments", target: flag });

/** Throws INVALID_FLAG_VALUE for flags that mean nothing together. */
function requireWhole({ http, tlsCert, tlsKey, insecure }: Input): void {
  const given = { "--tls-cert": tlsCert !== undefined, "--tls-key": tlsKey !== undefined, "--insecure": insecure };
  const alone = Object.entries(given).find(([, isGiven]) => isGiven && http === undefined);
  if (alone !== undefined) throw flagError(alone[0], `${alone[0]} is for --http, which was not asked for`);
}

function preview({ role }: Input): Output {
  const expires_at = new Date(Date.now() + LIMITS.pageCodeMs).toISOString();
  return {
    url: null,
    urls: null,
    expires_at,
    role,
    public: false,
    opened: false,
    effect: "would_create",
    would_affect: [],
  };
}

/** A browser is opened for a person at a terminal, on the machine where that person is. */
const mayOpen = ({ noOpen }: Input, { terminal, forPeople }: Ports, isPublic: boolean): boolean =>
  !noOpen && !isPublic && forPeople && terminal !== null;

async function run(input: Input, ports: Ports): Promise<Output> {
  requireWhole(input);
  lifetimeOf(input.expires);
  if (input.dryRun) {
    requireDaemon(ports);
    return preview(input);
  }
  const { urls, expiresAt, isPublic } = await requestPage(input, ports);
  const [url = null] = urls;
  const opened = url !== null && mayOpen(input, ports, isPublic) && (await openBrowser(url, ports.env));
  const expires_at = new Date(expiresAt).toISOString();
  return { url, urls, expires_at, role: input.role, public: isPublic, opened, effect: "created" };
}

export const handler = handle("dashboard", { run, show: showLink });
