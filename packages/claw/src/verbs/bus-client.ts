/** The SDK as the verbs use it. Built into a file of its own, which only calls to the bus load. */
export { checkPublication, connectObserver, connectOrchestrator, connectWorker } from "@claw/client";
export { unixChannel } from "@claw/client/node";
