import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "./workspace.ts";

/** A proxy that no server answers at, for every spelling of the variable. */
const UNROUTABLE = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"].map((name) => [
    name,
    "http://192.0.2.1:9",
  ]),
);

/**
 * Loaded into the process before claw: writes down every attempt to resolve a name or to open a connection. A socket
 * that is a file and an address that needs no resolving are no network.
 */
const WATCH_NETWORK = `
const { appendFileSync } = require("node:fs");
const note = (what) => appendFileSync(process.env.NETWORK_LOG, what + "\\n");
const net = require("node:net");
const dns = require("node:dns");
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  if (args.flat()[0]?.path === undefined) note("connect");
  return connect.apply(this, args);
};
for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) {
  const original = dns[name];
  dns[name] = (...args) => {
    if (!net.isIP(args[0])) note(name);
    return original(...args);
  };
}
note("watching");
`;

const logOf = (workspace: Workspace): string => join(workspace.home, "network.log");

/** Variables under which a call writes down how it uses the network. */
export function watchNetwork(workspace: Workspace): NodeJS.ProcessEnv {
  const script = join(workspace.home, "watch-network.cjs");
  writeFileSync(script, WATCH_NETWORK);
  return { ...UNROUTABLE, NODE_OPTIONS: `--require=${script}`, NETWORK_LOG: logOf(workspace) };
}

/** Each kind of use that the watched calls made; `watching` says that there was a watch. */
export function networkUse(workspace: Workspace): string[] {
  const log = logOf(workspace);
  return existsSync(log) ? [...new Set(readFileSync(log, "utf8").trim().split("\n"))] : [];
}
