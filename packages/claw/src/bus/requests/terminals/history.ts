import type { ReplyFields } from "claw-contract";
import { commandText, LIMITS, parseObject } from "claw-contract";
import type { BusContext } from "../../bus-context.ts";
import type { Peer } from "../../peers/peer.ts";
import type { RanRecord } from "../../state/terminal-records.ts";

type RanCommand = ReplyFields<"read">["events"][number];

/** The part of a terminal's output that a command printed. */
interface Printed {
  readonly terminalId: string;
  readonly to: number;
  readonly size: number;
}

/** The asking peer; undefined before the peer's hello. */
interface Asking {
  readonly context: BusContext;
  readonly peer: Peer | undefined;
}

async function readHere({ terminals }: BusContext, { terminalId, to, size }: Printed): Promise<string> {
  try {
    const { bytes, offset } = await terminals.read(terminalId, { offset: to - size, limit: size });
    const known = offset < to ? Buffer.from(bytes).subarray(0, to - offset) : Buffer.alloc(0);
    return commandText(known.toString("utf8"));
  } catch {
    // The output is no longer kept.
    return "";
  }
}

/** Reads outputs on their machines. A machine that did not answer once is not asked again. */
function createReading({ context, peer }: Asking): (printed: Printed) => Promise<string> {
  const silent = new Map<string, string>();
  const readThere = async (machine: string, asking: Peer, { terminalId, to, size }: Printed): Promise<string> => {
    const known = silent.get(machine);
    if (known !== undefined) return known;
    const request = { cmd: "readLog", terminalId, offset: to - size, limit: size, strip: false };
    const frame = await context.routing.forward(machine, { name: "readLog", peer: asking, request, line: undefined });
    const { ok, bytes, error, code } = parseObject(frame) ?? {};
    if (ok === true) return commandText(String(bytes));
    if (code !== "MACHINE_AWAY") return "";
    silent.set(machine, `(${String(error)})\n`);
    return silent.get(machine) ?? "";
  };
  return (printed) => {
    const machine = context.state.terminals.get(printed.terminalId)?.machine;
    const isHere = peer === undefined || machine === undefined || machine === context.log.machine;
    return isHere ? readHere(context, printed) : readThere(machine, peer, printed);
  };
}

/**
 * Command lines that ran, in the form older clients read, with as much of their output as is still kept. The newest
 * outputs are read first, since an answer holds at most `LIMITS.historyPageBytes`.
 */
export async function withOutputs(asking: Asking, commands: readonly RanRecord[]): Promise<RanCommand[]> {
  const read = createReading(asking);
  const events: RanCommand[] = [];
  let left: number = LIMITS.historyPageBytes;
  for (const { from, to, ...event } of commands.toReversed()) {
    const size = Math.min(to - from, LIMITS.historyOutputBytes, left);
    events.unshift({ ...event, output: size <= 0 ? "" : await read({ terminalId: event.terminalId, to, size }) });
    left -= Math.min(left, to - from);
  }
  return events;
}
