import type { Observer, Orchestrator } from "claw-client";
import type { WorkerView } from "claw-contract";
import { LIMITS } from "claw-contract";
import { openOrchestrator } from "../../bus/open-bus.ts";
import { patiently } from "../../bus/patiently.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { TerminalElsewhere } from "../terminal-elsewhere.ts";
import type { LogSource } from "./log-source.ts";
import type { OutputPiece } from "./terminal-output.ts";
import { terminalSource } from "./terminal-source.ts";
import { filesElsewhere } from "./worker-files.ts";
import { workerSource } from "./worker-source.ts";

interface Reading {
  readonly from: number;
  readonly follow: boolean;
}

/** Output of a terminal on another machine; with `follow`, until the terminal is closed. */
async function* piecesElsewhere(
  bus: Pick<Orchestrator, "request">,
  terminalId: string,
  { from, follow }: Reading,
): AsyncGenerator<OutputPiece> {
  const wait = follow ? { waitMs: LIMITS.terminalWaitMs } : {};
  for (let at = from; ;) {
    const { data, offset, next, ended } = await patiently(() =>
      bus.request("terminal.output", { terminalId, offset: at, ...wait }),
    );
    if (data !== "") yield { offset, bytes: Buffer.from(data, "base64") };
    if (ended || (!follow && data === "")) return;
    at = next;
  }
}

/** What a terminal on another machine printed. */
export async function terminalLogElsewhere(
  { workerId }: Pick<TerminalElsewhere, "workerId">,
  id: string,
  reading: Reading,
  ports: Ports,
): Promise<LogSource> {
  const bus = await openOrchestrator(ports);
  return { ...terminalSource({ id, workerId }, piecesElsewhere(bus, id, reading)), close: () => bus.close() };
}

/**
 * The log of a worker on another machine: the output of its terminal, or else its agent's stream. Undefined when the
 * machine has neither.
 */
export async function elsewhereSource(
  bus: Observer,
  view: WorkerView,
  reading: Reading,
  ports: Ports,
): Promise<LogSource | undefined> {
  const { terminal_id: id, peer_id: workerId } = view;
  if (id !== null) return terminalLogElsewhere({ workerId }, id, reading, ports);
  const worker = await filesElsewhere(bus, view);
  return worker && workerSource({ worker, ...reading }, ports);
}
