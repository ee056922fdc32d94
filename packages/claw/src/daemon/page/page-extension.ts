import { ClawError } from "claw-contract";
import type { BusExtension, RequestOutcome } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import type { Pages } from "./pages.ts";

const NEEDS_SOCKET = "page.open:only-on-the-unix-socket";

function refusalOf(failure: unknown): Extract<RequestOutcome<never>, { kind: "error" }> {
  if (!(failure instanceof ClawError)) throw failure;
  const { hint, target } = failure.options;
  return error(failure.message, { code: failure.code, target, ...(hint === undefined ? {} : { hint }) });
}

/** Answers requests for links to the page. A client on the network can have no address opened. */
export function createPageExtension(pages: Pages, touch: () => void): BusExtension {
  const open = handlePeers("page.open", ({ request, isLocal }, done) => {
    if (request.address !== "" && !isLocal()) return done(error(NEEDS_SOCKET));
    return void pages
      .open(request)
      .then(ok, refusalOf)
      .catch(() => error("internal error"))
      .then((outcome) => {
        touch();
        done(outcome);
      });
  });
  return { name: "page", requests: [open], checkDue: () => pages.checkDue() };
}
