import type { RequestName } from "claw-contract";
import { ClawError } from "claw-contract";
import type { RequestOutcome, Refused, RequestCall } from "../request-handler.ts";
import { error, ok } from "../request-handler.ts";

const unknown = (id: string): Refused => error(`unknown terminal id ${id}`, { code: "TERMINAL_NOT_FOUND" });

/** A failure as clients of the wire know it. */
export function terminalFailureOf(failure: unknown, id: string): Refused {
  if (!(failure instanceof ClawError)) return error(String(failure));
  return failure.code === "TERMINAL_NOT_FOUND" ? unknown(id) : error(failure.message, { code: failure.code });
}

/** Answers when the work has ended: with its result, or with its failure. */
export async function answerTerminal<Reply extends object>(
  work: Promise<Reply>,
  id: string,
  done: (outcome: RequestOutcome<Reply>) => void,
): Promise<void> {
  let outcome: RequestOutcome<Reply>;
  try {
    outcome = ok(await work);
  } catch (failure) {
    outcome = terminalFailureOf(failure, id);
  }
  done(outcome);
}

/** The fields by which a request names a terminal. */
interface TerminalRef {
  readonly terminalId?: string | number | null | undefined;
  readonly id?: string | number | undefined;
}

/** The terminal a request is about. Older clients name it by `id`, which is the request's own id as well. */
export const terminalOf = ({ terminalId, id }: TerminalRef): string => String(terminalId ?? id ?? "");

/** Works on an open terminal, then answers. Refuses a terminal that is not open. */
export function onTerminal<Reply extends object>(
  { context, request }: Pick<RequestCall<RequestName>, "context"> & { readonly request: TerminalRef },
  work: (terminalId: string) => Promise<Reply>,
  done: (outcome: RequestOutcome<Reply>) => void,
): void {
  const id = terminalOf(request);
  if (!context.terminals.open().includes(id)) return done(unknown(id));
  return void answerTerminal(work(id), id, done);
}
