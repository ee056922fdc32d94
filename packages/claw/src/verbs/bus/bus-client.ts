/**
 * The client SDK for the verbs. The build makes a separate file of this module; only calls to the bus load the file.
 */
export { checkPublication, connectMember, connectObserver, connectOrchestrator, connectWorker } from "claw-client";
export { unixChannel } from "claw-client/node";
