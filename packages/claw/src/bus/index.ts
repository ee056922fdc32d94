export type { ServerEvent } from "./append-events.ts";
export type { Bus } from "./bus.ts";
export { createBus } from "./bus.ts";
export type { BusHost, ConnectedPeer } from "./bus-host.ts";
export type { BusExtension, GatedEvent } from "./extension.ts";
export { openDurableStore } from "./durable/file-durable-store.ts";
export type { EventLog, NewEvent, StoredEvent } from "./log/index.ts";
export { findEnd, logLine, openSegmentLog } from "./log/index.ts";
export type { Gated } from "./gates.ts";
export type { PeerRequest } from "./peer-handler.ts";
export { handlePeers } from "./peer-handler.ts";
export type { CommittedEvent, StoredProjection } from "./projection.ts";
export type { Notice } from "./push-live.ts";
export type { Done, Outcome, Refused, RequestHandler } from "./requests/request-handler.ts";
export { error, ok } from "./requests/request-handler.ts";
export { refusedTopic } from "./state/budget.ts";
export { fieldsOf, idOf, numberOf, parsePayload, textOf, textsOf } from "./read-payload.ts";
export { openSnapshotStore } from "./snapshot/file-snapshot-store.ts";
export type { TerminalFact } from "./terminal-fact.ts";
export type {
  ClosedTerminal,
  Executed,
  TerminalRequest,
  Terminals,
  TerminalScreen,
  TerminalView,
} from "./terminals.ts";
export { noSuchTerminal } from "./terminals.ts";
export type { TokenStore } from "./tokens/index.ts";
export { openSignedHello, openTokenStore } from "./tokens/index.ts";
export type { Accept, Transport } from "./transport.ts";
export type { HttpTransport } from "./transports/http.ts";
export { createHttpTransport } from "./transports/http.ts";
export { createUnixTransport, MAX_SOCKET_PATH_BYTES, TEMPORARY_SOCKET_NAME } from "./transports/unix.ts";
export { storageCode, WRITE_FAILED } from "./write-failed.ts";
