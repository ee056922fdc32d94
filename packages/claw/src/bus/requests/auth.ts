import { handleRequest, ok } from "./request-handler.ts";

/** Shows a token before any other request. The guard judges the token before this handler runs. */
export const handleAuth = handleRequest("auth", (_call, done) => done(ok({})));
