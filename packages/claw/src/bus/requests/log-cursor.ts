import type { EventLog } from "../log/index.ts";
import { cursorOf } from "../delivery/subscription.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

async function findCursor(log: EventLog, time: number) {
  try {
    return ok({ cursor: cursorOf(log, await log.sequenceAt(new Date(time))) });
  } catch (failure) {
    return error(`the log cannot be read: ${String(failure)}`);
  }
}

export const handleLogCursor = handleRequest("log.cursor", ({ context, request }, done) => {
  void (async () => done(await findCursor(context.log, request.time)))();
});
