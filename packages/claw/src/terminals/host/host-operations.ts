import { LIMITS } from "claw-contract";
import type { HostOperation, HostReply, ReadHostRequest } from "claw-contract";
import type { KeptScreens } from "./kept-screens.ts";
import type { TerminalHost } from "./terminal-host.ts";

export interface OperationCall<Name extends HostOperation> {
  readonly host: TerminalHost;
  readonly screens: KeptScreens;
  readonly request: ReadHostRequest<Name>;
  /** Aborted when the client gives up or goes away. */
  readonly signal: AbortSignal;
}

export type Operation<Name extends HostOperation> = (
  call: OperationCall<Name>,
) => HostReply<Name> | Promise<HostReply<Name>>;

/** Operations about the connection itself: the door and the session answer them. */
export type SessionOperation = "hello" | "attach" | "detach" | "follow";

/** Resolves when there is output past an offset. Rejects when none can come any more. */
function whenOutput({ host, request, signal }: OperationCall<"wait">): Promise<HostReply<"wait">> {
  const { from, terminalId } = request;
  return new Promise((resolve, reject) => {
    const look = (): boolean => {
      try {
        const total = host.find(terminalId).log.total();
        if (total > from) resolve({ offset: total });
        else host.require(terminalId);
        return total > from;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    if (look()) return;
    const stop = host.onChange(terminalId, () => void (look() && stop()));
    signal.addEventListener("abort", () => {
      stop();
      reject(signal.reason as Error);
    });
  });
}

const size = (value: number): number => Math.min(LIMITS.terminalSize, Math.max(1, value));

/** What clients may ask of the host about its terminals. */
export const OPERATIONS: { readonly [Name in Exclude<HostOperation, SessionOperation>]: Operation<Name> } = {
  list: ({ host }) => ({ terminals: host.all().map((terminal) => terminal.about()) }),
  create: ({ host, request }) => ({ terminal: host.create(request.terminal) }),
  write: async ({ host, request: { terminalId, data } }) => {
    await host.require(terminalId).typing.bytes(Buffer.from(data, "base64"));
    return {};
  },
  type: async ({ host, request: { terminalId, text, paste, enter } }) => {
    const { typing } = host.require(terminalId);
    if (enter) await typing.entered(text, paste);
    else await typing.text(text, paste);
    return {};
  },
  resize: ({ host, request: { terminalId, cols, rows } }) => {
    host.require(terminalId).resize(size(cols), size(rows));
    return {};
  },
  close: async ({ host, request: { terminalId, origin } }) => {
    const known = host.all().find((terminal) => terminal.about().id === terminalId);
    return { closed: known?.isOpen() === true && (await known.close(origin)) };
  },
  read: ({ host, request: { terminalId, offset: from, limit: wanted } }) => {
    const limit = Math.min(LIMITS.terminalReadBytes, wanted ?? LIMITS.terminalReadBytes);
    const range = from === undefined ? { limit } : { offset: from, limit };
    const { bytes, offset, total } = host.find(terminalId).log.read(range);
    return { data: bytes.toString("base64"), offset, total };
  },
  offset: ({ host, request }) => ({ offset: host.find(request.terminalId).log.total() }),
  screen: async ({ host, screens, request }) => ({ screen: await screens.look(host.find(request.terminalId)) }),
  wait: whenOutput,
  exec: async ({ host, request: { terminalId, command }, signal }) => ({
    ran: await host.require(terminalId).execute(command, signal),
  }),
  settle: ({ host, request: { terminalId, number } }) => {
    host.settle(terminalId, number);
    return {};
  },
};
