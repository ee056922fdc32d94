import { cursorOf } from "../delivery/subscription.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

export const handleLogCursor = handleRequest("log.cursor", ({ context: { log }, request }, done) => {
  void log.sequenceAt(new Date(request.time)).then(
    (sequence) => done(ok({ cursor: cursorOf(log, sequence) })),
    (failure: unknown) => done(error(`the log cannot be read: ${String(failure)}`)),
  );
});
