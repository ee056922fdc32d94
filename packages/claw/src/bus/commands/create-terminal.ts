import { isTopic, LIMITS } from "@claw/contract";
import type { ServerEvent } from "../append-events.ts";
import { appendEvents } from "../append-events.ts";
import type { BusContext } from "../bus-context.ts";
import { idOf, isObject, textOf, textsOf } from "../read-payload.ts";
import type { TerminalRequest } from "../terminals.ts";
import type { Request } from "../wire.ts";
import { storageCode, WRITE_FAILED } from "../write-failed.ts";
import type { Command, CommandCall, CommandResult } from "./command.ts";
import { error, ok } from "./command.ts";
import { failureOf } from "./terminal-command.ts";

/** Phases in which no mission is under way. */
const LOCKED: ReadonlySet<unknown> = new Set([undefined, "SESSION-BOOT", "REFLECT", "SESSION-END"]);

const NAME_CHARS = 200;

const sizeOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= LIMITS.terminalSize
    ? value
    : undefined;

/** Environment variables must be texts. Other values, and names that are empty or hold `=` or NUL, are left out. */
const variablesOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && /^[^=\0]+$/.test(entry[0]),
    ),
  );

/** Control characters are removed from the name, since a listing prints the name in a terminal. */
const nameOf = (value: unknown, id: string): string =>
  (textOf(value) ?? "").replaceAll(/\p{Cc}/gu, "").slice(0, NAME_CHARS) || `Claws ${id}`;

/** A terminal, and the wave that it is opened for. */
interface Wanted extends TerminalRequest {
  readonly waveId: string | undefined;
  readonly waveRole: string | undefined;
}

/** The text, when a wave's topics can hold it as one segment; otherwise undefined. */
function segmentOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && !text.includes(".") && isTopic(`wave.${text}.lead.boot`) ? text : undefined;
}

/** A request to open a terminal. */
type Opening = Pick<CommandCall, "context" | "peer" | "request">;

/**
 * The wave of the peer that opens the terminal, else the wave named in the request. The part in the wave always comes
 * from the request, never from the peer.
 */
const waveOf = ({ peer, request }: Opening): Pick<Wanted, "waveId" | "waveRole"> => ({
  waveId: peer?.waveId ?? segmentOf(request["waveId"]),
  waveRole: segmentOf(request["waveRole"]),
});

function requestOf(request: Request, terminalId: string): TerminalRequest {
  const argv = textsOf(request["argv"]);
  return {
    terminalId,
    name: nameOf(request["name"], terminalId),
    cwd: textOf(request["cwd"]),
    shellPath: textOf(request["shellPath"]),
    argv: argv.length === 0 ? undefined : argv,
    env: variablesOf(request["env"]),
    cols: sizeOf(request["cols"]),
    rows: sizeOf(request["rows"]),
    correlationId: textOf(request["correlation_id"]),
    workerId: idOf(request["workerId"]),
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
async function openTerminal(context: BusContext, wanted: Wanted): Promise<CommandResult> {
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
    return failureOf(failure, terminalId);
  }
}

/**
 * Opens a terminal in any phase of the mission. Every terminal is a pty whose output is kept, also when `wrapped` is
 * false.
 */
export function openTerminalNow(call: Opening, done: (result: CommandResult) => void): void {
  const { context, request } = call;
  const open = async (): Promise<void> =>
    done(await openTerminal(context, { ...requestOf(request, context.nextTerminalId()), ...waveOf(call) }));
  void open();
}

/** Opens a terminal for a client. Under the policy `compat`, only while a mission is under way. */
export const createTerminal: Command = {
  roles: undefined,
  run: (call, done) => {
    const { policy, state } = call.context;
    if (policy === "compat" && LOCKED.has(state.lifecycle.state()?.phase)) {
      return done(
        error("lifecycle:plan-required", {
          message: "no mission; call lifecycle.plan first",
          code: "LIFECYCLE_REFUSED",
        }),
      );
    }
    return openTerminalNow(call, done);
  },
};
