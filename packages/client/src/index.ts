/** Workers, orchestrators and observers on the bus; safe for browsers. Sockets of Node are behind `./node`. */
export type { Acknowledged } from "./subscriptions/acknowledgements.ts";
export type {
  BusItem,
  CaughtUpItem,
  DeliveredEnvelope,
  EventItem,
  GapItem,
  NoticeItem,
} from "./subscriptions/bus-item.ts";
export type { CancelSignal } from "claw-contract";
export type { Channel, OpenChannel } from "./connection/channel.ts";
export type { WebSocketConstructor, WebSocketLike, WebSocketOptions } from "./connection/channels/web-socket.ts";
export { webSocketChannel } from "./connection/channels/web-socket.ts";
export { CLIENT_LIMITS } from "claw-contract/client";
export type { Client, ClientOptions, ClientStatus } from "./client.ts";
export type { Observer } from "./create-client.ts";
export { connectObserver } from "./create-client.ts";
export type { EventSchemas } from "./publishing/prepare-publish.ts";
export type { Bearer, ClientRole, Identity, ResumeState } from "./connection/hello.ts";
export { connectMember, connectOrchestrator } from "./orchestrator/connect-orchestrator.ts";
export type { Orchestrator, SpawnInput } from "./orchestrator/connect-orchestrator.ts";
export type { WorkerSummaries, WorkerSummary } from "./orchestrator/worker-summary.ts";
export { foldWorkers } from "./orchestrator/worker-summary.ts";
export type { WorkersView } from "./orchestrator/workers-view.ts";
export type { PublishOptions } from "./publishing/prepare-publish.ts";
export { checkPublication } from "./publishing/publishing.ts";
export type { Receipt } from "./publishing/spool.ts";
export type {
  DurableOptions,
  DurableSubscription,
  SubscribeOptions,
  Subscription,
} from "./subscriptions/subscription.ts";
export type { Timer } from "./platform.ts";
export { systemTimer } from "./platform.ts";
export type { WireReply } from "./connection/wire-frame.ts";
export type { Answer, AskLimits, Command } from "./worker/commands.ts";
export { connectWorker } from "./worker/connect-worker.ts";
export type * from "./worker/worker.ts";
