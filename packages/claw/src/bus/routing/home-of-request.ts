import type { RoutedBy, WireRole } from "claw-contract";
import type { Extensions } from "../extension/extension.ts";
import { terminalOf } from "../requests/terminals/on-terminal.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { WireRequest } from "../wire/wire.ts";

/** Shelves that know where peers, tasks and terminals are. */
export interface Homes extends Pick<Knowledge, "state"> {
  readonly extensions: Pick<Extensions, "peerOf" | "placeSpawn">;
}

type FindHome = (homes: Homes, named: string) => string | undefined;

const homeOfPeer: FindHome = ({ state, extensions }, named) =>
  state.presence.homeOf(extensions.peerOf("worker", named) ?? named);

const homeOfTerminal: FindHome = ({ state }, id) => state.terminals.get(id)?.machine;

/** The peer in the topic of a command. A command to a role is for several peers. */
const COMMAND = /^cmd\.(?!role\.)([^.]+)\./;

const HOMES: Readonly<Record<Exclude<RoutedBy["names"], "machine">, FindHome>> = {
  peer: homeOfPeer,
  approval: (homes, id) => homes.state.presence.homeOf(homes.extensions.peerOf("approval", id) ?? ""),
  task: ({ state }, id) => state.presence.homeOf(state.tasks.get(id)?.assignee ?? ""),
  terminal: homeOfTerminal,
  target: (homes, named) => homeOfPeer(homes, named) ?? homeOfTerminal(homes, named),
  command: ({ state }, topic) => state.presence.homeOf(COMMAND.exec(topic)?.[1] ?? ""),
  daemon: (_homes, machine) => (machine === "" ? undefined : machine),
};

/** A request and its peer; undefined before hello. */
export interface Unplaced {
  readonly request: WireRequest;
  readonly peer: { readonly role: WireRole } | undefined;
}

/** A request, and the machine whose daemon answers the request. */
export interface Placed {
  readonly machine: string;
  readonly request: WireRequest;
}

/**
 * Finds the machine whose daemon answers a request; undefined when it is any, or unknown. The daemon of a machine that is
 * known then says what is wrong with the request.
 */
export function placeRequest(
  homes: Homes,
  { names, field }: RoutedBy,
  { request, peer }: Unplaced,
): Placed | undefined {
  if (peer === undefined) return undefined;
  if (names === "machine") return homes.extensions.placeSpawn(request, peer.role);
  const value = names === "terminal" ? terminalOf(request as Parameters<typeof terminalOf>[0]) : request[field];
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const machine = HOMES[names](homes, text);
  return machine === undefined ? undefined : { machine, request };
}
