export type { Bus, BusOptions } from "./bus.ts";
export { createBus } from "./bus.ts";
export type { EventLog } from "./log/index.ts";
export { createMemoryLog, openSegmentLog } from "./log/index.ts";
export type { Transport } from "./transport.ts";
export { createUnixTransport } from "./transports/unix.ts";
