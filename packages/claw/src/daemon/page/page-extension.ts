import type { ReadRequest, ReplyFields } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusExtension, Done, Refused, RequestOutcome } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import type { Pages } from "./pages.ts";

const NEEDS_SOCKET = "page.open:only-on-the-unix-socket";

function refusalOf(failure: ClawError): Refused {
  const { hint, target } = failure.options;
  return error(failure.message, { code: failure.code, target, ...(hint === undefined ? {} : { hint }) });
}

type Outcome = RequestOutcome<ReplyFields<"page.open">>;

export interface PageExtensionOptions {
  /** Tells the daemon's clock that a due time may have come closer. */
  readonly touch: () => void;
  readonly report: (problem: string) => void;
}

/** Answers requests for links to the page. A client on the network can have no address opened. */
export function createPageExtension(pages: Pages, { touch, report }: PageExtensionOptions): BusExtension {
  const outcomeOf = async (request: ReadRequest<"page.open">): Promise<Outcome> => {
    try {
      return ok(await pages.open(request));
    } catch (failure) {
      if (failure instanceof ClawError) return refusalOf(failure);
      report(`page.open failed: ${String(failure)}`);
      return error("internal error");
    }
  };
  const answer = async (request: ReadRequest<"page.open">, done: Done<"page.open">): Promise<void> => {
    const outcome = await outcomeOf(request);
    touch();
    done(outcome);
  };
  const open = handlePeers("page.open", ({ request, isLocal }, done) =>
    request.address !== "" && !isLocal() ? done(error(NEEDS_SOCKET)) : void answer(request, done),
  );
  return { name: "page", requests: [open], checkDue: () => pages.checkDue() };
}
