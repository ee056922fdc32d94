import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { requireDaemon } from "../open-bus.ts";
import { lifetimeOf } from "../../tokens/create.ts";
import { openPage } from "./open-page.ts";
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

async function run(input: Input, ports: Ports): Promise<Output> {
  requireWhole(input);
  lifetimeOf(input.expires);
  if (input.dryRun) {
    requireDaemon(ports);
    return preview(input);
  }
  return openPage(input, ports);
}

export const handler = handle("dashboard", { run, show: showLink });
