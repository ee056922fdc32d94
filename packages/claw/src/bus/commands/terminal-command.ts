import { ClawError } from "@claw/contract";
import { idOf } from "../wire/read-payload.ts";
import type { Request } from "../wire/wire.ts";
import type { Body, Command, CommandCall, CommandResult } from "./command.ts";
import { error, ok } from "./command.ts";

const unknown = (id: string): CommandResult => error(`unknown terminal id ${id}`, { code: "TERMINAL_NOT_FOUND" });

/** A failure as clients of the wire know it. */
export function failureOf(failure: unknown, id: string): CommandResult {
  if (!(failure instanceof ClawError)) return error(String(failure));
  return failure.code === "TERMINAL_NOT_FOUND" ? unknown(id) : error(failure.message, { code: failure.code });
}

/** Answers when the work has ended: with its result, or with its failure. */
export async function answer(work: Promise<Body>, id: string, done: (result: CommandResult) => void): Promise<void> {
  let result: CommandResult;
  try {
    result = ok(await work);
  } catch (failure) {
    result = failureOf(failure, id);
  }
  done(result);
}

/** The terminal a request is about. Older clients name it by `id`, which is the request's own id as well. */
export const terminalOf = (request: Request): string => idOf(request["terminalId"] ?? request["id"]) ?? "";

/** A handler for requests about an open terminal. */
export const terminalCommand = (run: (call: CommandCall, terminalId: string) => Promise<Body>): Command => ({
  roles: undefined,
  run: (call, done) => {
    const id = terminalOf(call.request);
    if (!call.context.terminals.open().includes(id)) return done(unknown(id));
    return void answer(run(call, id), id, done);
  },
});
