import { setTimeout as delay } from "node:timers/promises";
import type { Orchestrator } from "claw-client";
import type { VerbOutput } from "claw-contract";
import { LIMITS } from "claw-contract";
import { patiently } from "../bus/patiently.ts";
import type { RawTerminal } from "../runtime/raw-terminal.ts";

type Ending = Pick<VerbOutput<"attach">, "detached" | "program_exit_code" | "program_signal">;

export interface ElsewhereAttachment {
  readonly id: string;
  readonly raw: RawTerminal;
  readonly signal: AbortSignal;
  /** Reads what a person types, up to the key that leaves; `left` is then called. */
  readonly readKeys: (typed: (bytes: Uint8Array) => void, left: () => void) => void;
}

/** The daemon counts requests: a reader that is quicker than this is refused. */
const LOOK_MS = 20;
/** Typed bytes that wait to be sent; more are lost, as on any terminal. */
const MOST_TYPED = 1024 * 1024;

/** Sends typed bytes in order, one request at a time. */
function createTyping(bus: Orchestrator, terminalId: string, failed: (error: unknown) => void) {
  let waiting = Buffer.alloc(0);
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    while (waiting.length > 0) {
      const data = waiting.subarray(0, LIMITS.terminalTypeBytes).toString("base64");
      waiting = waiting.subarray(LIMITS.terminalTypeBytes);
      await patiently(() => bus.request("terminal.write", { terminalId, data }));
    }
    isSending = false;
  };
  return (bytes: Uint8Array): void => {
    if (waiting.length + bytes.length > MOST_TYPED) return;
    waiting = Buffer.concat([waiting, bytes]);
    if (!isSending) send().catch(failed);
  };
}

async function showOutput(bus: Orchestrator, { id, raw }: ElsewhereAttachment, left: AbortSignal): Promise<Ending> {
  let offset: number | undefined;
  for (;;) {
    const from = offset === undefined ? {} : { offset, waitMs: LIMITS.terminalWaitMs };
    const piece = await patiently(() => bus.request("terminal.output", { terminalId: id, ...from }));
    const isShown = left.aborted || raw.write(Buffer.from(piece.data, "base64"));
    if (left.aborted || !isShown) return { detached: true, program_exit_code: null, program_signal: null };
    if (piece.ended) return { detached: false, program_exit_code: piece.exitCode, program_signal: piece.signal };
    offset = piece.next;
    await delay(LOOK_MS);
  }
}

/** Shows a terminal of another machine through the daemons, and types into it, until either side has enough. */
export async function holdElsewhere(bus: Orchestrator, attachment: ElsewhereAttachment): Promise<Ending> {
  const { id, raw, signal, readKeys } = attachment;
  const left = new AbortController();
  const fit = async (): Promise<void> => {
    const size = { cols: raw.columns(), rows: raw.rows() };
    await patiently(() => bus.request("terminal.resize", { terminalId: id, ...size })).catch(() => undefined);
  };
  return new Promise<Ending>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    const leave = (): void => {
      left.abort();
      resolve({ detached: true, program_exit_code: null, program_signal: null });
    };
    readKeys(createTyping(bus, id, reject), leave);
    raw.onResize(() => void fit());
    fit()
      .then(() => showOutput(bus, attachment, left.signal))
      .then(resolve, reject);
  }).finally(() => left.abort());
}
