export type { ServerEvent } from "./publish/append-events.ts";
export type { Bus } from "./bus.ts";
export { createBus } from "./bus.ts";
export type { BusHost, ConnectedPeer } from "./extension/bus-host.ts";
export type { BusExtension, GatedEvent } from "./extension/extension.ts";
export { openDurableStore } from "./delivery/durable/file-durable-store.ts";
export type { EventLog, NewEvent, StoredEvent } from "./log/index.ts";
export { findEnd, logLine, openSegmentLog } from "./log/index.ts";
export type { Gated } from "./publish/gates.ts";
export type { PeerRequest } from "./extension/peer-handler.ts";
export { handlePeers } from "./extension/peer-handler.ts";
export type { CommittedEvent, StoredProjection } from "./state/projection.ts";
export type { Notice } from "./delivery/push-live.ts";
export type { Done, Outcome, Refused, RequestHandler } from "./requests/request-handler.ts";
export { error, ok } from "./requests/request-handler.ts";
export { refusedTopic } from "./state/budget.ts";
export { fieldsOf, idOf, numberOf, parsePayload, textOf, textsOf } from "./wire/read-payload.ts";
export { openSnapshotStore } from "./snapshot/file-snapshot-store.ts";
export type { TerminalFact } from "./terminals/terminal-fact.ts";
export type {
  ClosedTerminal,
  Executed,
  TerminalRequest,
  Terminals,
  TerminalScreen,
  TerminalView,
} from "./terminals/terminals.ts";
export { noSuchTerminal } from "./terminals/terminals.ts";
export type { TokenStore } from "./access/tokens/index.ts";
export { openSignedHello, openTokenStore } from "./access/tokens/index.ts";
export type { Accept, Transport } from "./transports/transport.ts";
export type { HttpTransport } from "./transports/http.ts";
export { createHttpTransport } from "./transports/http.ts";
export { createUnixTransport, MAX_SOCKET_PATH_BYTES, TEMPORARY_SOCKET_NAME } from "./transports/unix.ts";
export { storageCode, WRITE_FAILED } from "./publish/write-failed.ts";
