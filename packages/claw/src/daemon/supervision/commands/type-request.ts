import type { ReplyFields } from "claw-contract";
import { ClawError } from "claw-contract";
import type { RequestOutcome, RequestHandler, Refused } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
import type { TerminalOwners } from "./agent-in.ts";
import { ownerOf } from "./agent-in.ts";
import { inertLine, inertPaste, takesPastes } from "./inert-text.ts";

type Typed = RequestOutcome<ReplyFields<"terminal.type">>;

async function typeText({ terminals }: TerminalOwners["host"], terminalId: string, text: string): Promise<Typed> {
  const screen = await terminals.screen(terminalId);
  const paste = await takesPastes(terminals, terminalId, screen);
  await terminals.inject(terminalId, paste ? inertPaste(text) : inertLine(text), { paste });
  return ok({ offset: screen.offset });
}

const terminalError = (terminalId: string, failure: unknown): Refused => {
  const code = failure instanceof ClawError ? failure.code : "TERMINAL_HOST_FAILED";
  return error(`terminal ${terminalId} took nothing`, { code });
};

/**
 * The request `terminal.type` types a text and Enter into a terminal, whatever its screen shows. Refused for the
 * terminal of an agent, where Enter may answer a question: there a command to the worker types the text.
 */
export const typeRequest = (place: TerminalOwners): RequestHandler =>
  handlePeers("terminal.type", ({ request }, done) => {
    const { target: terminalId, text } = request;
    const owner = ownerOf(place, terminalId);
    if (owner !== undefined) {
      const problem = `terminal ${terminalId} belongs to worker ${owner.peerId}: send the text to the worker`;
      return done(error(problem, { code: "COMMAND_REFUSED" }));
    }
    return void (async () => {
      try {
        done(await typeText(place.host, terminalId, text));
      } catch (failure) {
        done(terminalError(terminalId, failure));
      }
    })();
  });
