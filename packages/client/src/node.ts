/** Sockets of Node, for `channel` of the connect functions. */
import type { OpenChannel } from "./connection/channel.ts";
import { socketChannel } from "./node/socket-channel.ts";

/** The unix socket of a workspace, usually `.claws/claws.sock`. */
export const unixChannel = (path: string): OpenChannel => socketChannel({ path });

export const tcpChannel = (port: number, host = "127.0.0.1"): OpenChannel => socketChannel({ port, host });
