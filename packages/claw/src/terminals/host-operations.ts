import { CLOSE_ORIGINS } from "@claw/contract/schemas";
import type { CloseOrigin } from "@claw/contract/schemas";
import { LIMITS } from "@claw/contract";
import type { CreateRequest } from "./create-request.ts";
import type { HostedTerminal } from "./hosted-terminal.ts";
import type { HostRequest } from "./host-wire.ts";
import type { KeptScreens } from "./kept-screens.ts";
import type { TerminalHost } from "./terminal-host.ts";

export type Answer = Readonly<Record<string, unknown>>;

export interface OperationCall {
  readonly host: TerminalHost;
  readonly screens: KeptScreens;
  readonly request: HostRequest;
  /** Aborted when the client gives up or goes away. */
  readonly signal: AbortSignal;
}

export type Operation = (call: OperationCall) => Answer | Promise<Answer>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const idOf = ({ request }: OperationCall): string => textOf(request["id"]);

const describe = (terminal: HostedTerminal): Answer => ({ ...terminal.about(), offset: terminal.log.total() });

const originOf = (value: unknown): CloseOrigin => CLOSE_ORIGINS.find((origin) => origin === value) ?? "orchestrator";

/** Resolves when there is output past an offset. Rejects when none can come any more. */
function whenOutput({ host, request, signal }: OperationCall): Promise<Answer> {
  const from = numberOf(request["from"]) ?? 0;
  const id = textOf(request["id"]);
  return new Promise((resolve, reject) => {
    const look = (): boolean => {
      try {
        const total = host.find(id).log.total();
        if (total > from) resolve({ offset: total });
        else host.require(id);
        return total > from;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    if (look()) return;
    const stop = host.onChange(id, () => void (look() && stop()));
    signal.addEventListener("abort", () => {
      stop();
      reject(signal.reason as Error);
    });
  });
}

const size = (value: unknown): number => Math.min(LIMITS.terminalSize, Math.max(1, numberOf(value) ?? 1));

/** What clients may ask of the host, beside following it. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["list", ({ host }) => ({ terminals: host.all().map(describe) })],
  ["create", ({ host, request }) => ({ terminal: host.create(request["terminal"] as CreateRequest) })],
  [
    "write",
    async (call) => {
      await call.host.require(idOf(call)).typing.bytes(Buffer.from(textOf(call.request["data"]), "base64"));
      return {};
    },
  ],
  [
    "type",
    async (call) => {
      const { typing } = call.host.require(idOf(call));
      const { text, paste, enter } = call.request;
      if (enter === true) await typing.entered(textOf(text), paste === true);
      else await typing.text(textOf(text), paste === true);
      return {};
    },
  ],
  [
    "resize",
    (call) => {
      call.host.require(idOf(call)).resize(size(call.request["cols"]), size(call.request["rows"]));
      return {};
    },
  ],
  [
    "close",
    async (call) => {
      const known = call.host.all().find((terminal) => terminal.about().id === idOf(call));
      return { closed: known?.isOpen() === true && (await known.close(originOf(call.request["origin"]))) };
    },
  ],
  [
    "read",
    (call) => {
      const offset = numberOf(call.request["offset"]);
      const limit = Math.min(LIMITS.terminalReadBytes, numberOf(call.request["limit"]) ?? LIMITS.terminalReadBytes);
      const piece = call.host.find(idOf(call)).log.read({ ...(offset === undefined ? {} : { offset }), limit });
      return { data: piece.bytes.toString("base64"), offset: piece.offset, total: piece.total };
    },
  ],
  ["offset", (call) => ({ offset: call.host.find(idOf(call)).log.total() })],
  ["screen", async (call) => ({ screen: await call.screens.look(call.host.find(idOf(call))) })],
  ["wait", whenOutput],
  [
    "exec",
    async (call) => ({
      ran: await call.host.require(idOf(call)).execute(textOf(call.request["command"]), call.signal),
    }),
  ],
  [
    "settle",
    ({ host, request }) => {
      host.settle(textOf(request["id"]), numberOf(request["number"]) ?? 0);
      return {};
    },
  ],
]);
