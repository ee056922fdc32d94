import type { VersionRange } from "claw-contract";
import { ClawError } from "claw-contract";

const spoken = ({ oldest, newest }: VersionRange): string =>
  oldest === newest ? `${newest}` : `${oldest} to ${newest}`;

/** A refusal carries its message over the socket and no hint, so the message says what to restart. */
const CLOSE_TERMINALS = "close the terminals, which ends the older host (claw terminal list)";
const REPLACE_DAEMON = "restart the older daemon, or use the newer claw (claw up --replace)";

/** The error of a terminal host and a client that speak no common version. It says which of the two to restart. */
export function hostMismatch(host: VersionRange, client: VersionRange): ClawError {
  const next = host.newest < client.oldest ? CLOSE_TERMINALS : REPLACE_DAEMON;
  const message = `the terminal host speaks version ${spoken(host)} of its protocol, its client version ${spoken(client)}; ${next}`;
  return new ClawError("PROTOCOL_MISMATCH", message, { operation: "hello", target: "terminal-host" });
}
