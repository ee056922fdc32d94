export type { HostShapes } from "./host-table.ts";
export { isHostOperation, isHostPush, isHostReply, readHostRequest } from "./host-table.ts";
export type { HostOperation, HostPush, HostReply, HostRequest, ReadHostRequest } from "./host-types.ts";
