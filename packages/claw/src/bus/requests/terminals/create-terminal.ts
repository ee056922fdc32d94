import type { ReadRequest, ReplyFields, TerminalRequest } from "claw-contract";
import { isObject, textsOf } from "claw-contract";
import type { ServerEvent } from "../../publish/store-event.ts";
import { appendEvents } from "../../publish/store-event.ts";
import type { BusContext } from "../../bus-context.ts";
import type { Peer } from "../../peers/peer.ts";
import { storageCode, WRITE_FAILED } from "../../publish/store-event.ts";
import { terminalFailureOf } from "./on-terminal.ts";
import type { Done, RequestOutcome } from "../request-handler.ts";
import { error, handleRequest, ok } from "../request-handler.ts";

/** Phases in which no mission is under way. */
const LOCKED: ReadonlySet<unknown> = new Set([undefined, "SESSION-BOOT", "REFLECT", "SESSION-END"]);

const NAME_CHARS = 200;

/** Environment variables must be texts. Other values, and names that are empty or hold `=` or NUL, are left out. */
const variablesOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && /^[^=\0]+$/.test(entry[0]),
    ),
  );

/** Control characters are removed from the name, since a listing prints the name in a terminal. */
const terminalName = (name: string, id: string): string =>
  name.replaceAll(/\p{Cc}/gu, "").slice(0, NAME_CHARS) || `Claws ${id}`;

/** A terminal, and the wave that it is opened for. */
interface Wanted extends TerminalRequest {
  readonly waveId: string | undefined;
  readonly waveRole: string | undefined;
}

/** A request to open a terminal. */
export interface Opening {
  readonly context: BusContext;
  /** The peer that opens the terminal; undefined for a client that has not said hello. */
  readonly peer: Peer | undefined;
  readonly request: ReadRequest<"create">;
}

/**
 * The wave of the peer that opens the terminal, else the wave named in the request. The part in the wave always comes
 * from the request, never from the peer.
 */
const waveOf = ({ peer, request }: Opening): Pick<Wanted, "waveId" | "waveRole"> => ({
  waveId: peer?.waveId ?? request.waveId,
  waveRole: request.waveRole,
});

function requestOf(request: Opening["request"], terminalId: string): TerminalRequest {
  const { name = "", cwd, shellPath, cols, rows, correlation_id: correlationId, workerId } = request;
  const argv = textsOf(request.argv);
  return {
    terminalId,
    name: terminalName(name, terminalId),
    cwd,
    shellPath,
    argv: argv.length === 0 ? undefined : argv,
    env: variablesOf(request.env),
    cols,
    rows,
    correlationId,
    workerId: workerId === undefined ? undefined : String(workerId),
  };
}

type State = "PROVISIONING" | "BOOTING" | "CLOSED";

/** A step of a terminal that is being opened. */
function stateEvent(context: BusContext, request: Wanted, step: [State | null, State]): ServerEvent {
  const { terminalId, name, correlationId, workerId, waveId, waveRole } = request;
  const [from, to] = step;
  const more = { name, correlation_id: correlationId, worker_id: workerId, waveId, waveRole };
  return { topic: `vehicle.${terminalId}.state`, payload: { terminalId, from, to, ts: context.timestamp(), ...more } };
}

const later = (context: BusContext, event: ServerEvent): Promise<void> =>
  new Promise((resolve, reject) => {
    appendEvents(context, [event], (outcome) => (outcome instanceof Error ? reject(outcome) : resolve()));
  });

/**
 * Opens a terminal. Its number is in the log before its program runs, so no other terminal ever gets the same number.
 */
async function openTerminal(context: BusContext, wanted: Wanted): Promise<RequestOutcome<ReplyFields<"create">>> {
  const { waveId: _wave, waveRole: _role, ...request } = wanted;
  const { terminalId } = request;
  try {
    await later(context, stateEvent(context, wanted, [null, "PROVISIONING"]));
  } catch (failure) {
    return error(WRITE_FAILED, storageCode(failure));
  }
  try {
    const { pid } = await context.terminals.create(request);
    if (context.state.terminals.get(terminalId)?.state === "PROVISIONING") {
      await later(context, stateEvent(context, wanted, ["PROVISIONING", "BOOTING"]));
    }
    return ok({ id: terminalId, logPath: null, wrapped: true, pid });
  } catch (failure) {
    const closed = stateEvent(context, wanted, ["PROVISIONING", "CLOSED"]);
    appendEvents(context, [closed], () => undefined);
    return terminalFailureOf(failure, terminalId);
  }
}

/**
 * Opens a terminal in any phase of the mission. Every terminal is a pty whose output is kept, also when `wrapped` is
 * false.
 */
export function openTerminalNow(call: Opening, done: Done<"create">): void {
  const { context, request } = call;
  const open = async (): Promise<void> =>
    done(await openTerminal(context, { ...requestOf(request, context.nextTerminalId()), ...waveOf(call) }));
  void open();
}

/** Opens a terminal for a client. Under the policy `compat`, only while a mission is under way. */
export const handleCreateTerminal = handleRequest("create", (call, done) => {
  const { policy, state } = call.context;
  if (policy === "compat" && LOCKED.has(state.lifecycle.state()?.phase)) {
    const message = "no mission; call lifecycle.plan first";
    return done(error("lifecycle:plan-required", { message, code: "LIFECYCLE_REFUSED" }));
  }
  return openTerminalNow(call, done);
});
