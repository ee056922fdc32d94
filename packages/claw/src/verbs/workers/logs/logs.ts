import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { findMeant, noTerminal } from "../find-terminal.ts";
import { clawsFolder } from "./worker-log.ts";
import type { Ports, VerbStream } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { entryLine } from "./log-source.ts";
import type { LogItem, LogSource, LogReading } from "./log-source.ts";
import { lookElsewhere } from "../terminal-elsewhere.ts";
import { terminalLogElsewhere } from "./elsewhere-source.ts";
import { peerSource } from "./peer-source.ts";
import { showEntry } from "./show-entry.ts";
import { terminalSource } from "./terminal-source.ts";
import { filesHere } from "./worker-files.ts";
import { workerSource } from "./worker-source.ts";
import type { Paint } from "../../runtime/paint.ts";
import { terminalOutput } from "./terminal-output.ts";
import { plural } from "../../text/text-layout.ts";
import { endlessAnswer } from "../../bus/ask-bus.ts";

type Input = VerbInput<"logs">;
type Output = VerbOutput<"logs">;

/** A worker of another program is known to the bus alone; without a daemon there is nothing of that name. */
async function findPeer(input: Input, ports: Ports): Promise<LogSource | undefined> {
  const { worker: id, follow, sinceOffset = 0 } = input;
  try {
    return await peerSource({ id, from: sinceOffset, follow }, ports);
  } catch (error) {
    if (error instanceof ClawError && error.code === "DAEMON_NOT_RUNNING") return undefined;
    throw error;
  }
}

async function findSource(input: Input, ports: Ports): Promise<LogSource> {
  const { worker: id, follow, sinceOffset: from = 0 } = input;
  const meant = findMeant(id, ports);
  if (meant?.kind === "worker") return workerSource({ worker: filesHere(meant.worker, ports), from, follow }, ports);
  if (meant?.kind === "terminal") {
    const options = { folder: clawsFolder(ports), id: meant.terminal.id, from, follow };
    return terminalSource(meant.terminal, terminalOutput(options, ports.signal));
  }
  const peer = await findPeer(input, ports);
  if (peer !== undefined) return peer;
  const elsewhere = await lookElsewhere(id, ports);
  if (elsewhere === undefined || elsewhere.terminalId === null) throw noTerminal(id);
  return terminalLogElsewhere(elsewhere, elsewhere.terminalId, { from, follow }, ports);
}

/** Bytes as they are belong to the terminal they are shown on, not to the renderer. */
async function passRaw(source: LogSource, reading: LogReading, ports: Ports): Promise<void> {
  for await (const { bytes } of source.raw(reading)) {
    if (!(await ports.stage.write("stdout", bytes))) break;
  }
  ports.stage.leave({ code: 0 });
}

/** Room in an answer for everything that is not text. */
const ANSWER_BYTES = 4096;

/** How far was read. Taken back when what was read last did not fit. */
class Position implements LogReading {
  first: number | undefined;
  next: number;

  constructor(from: number) {
    this.next = from;
  }

  seen(offset: number, next: number): void {
    this.first ??= offset;
    this.next = next;
  }
}

async function gather(items: AsyncIterable<LogItem>, position: Position, ports: Ports): Promise<string> {
  const texts: string[] = [];
  let bytes = 0;
  for await (const { text, offset } of items) {
    bytes += Buffer.byteLength(JSON.stringify(text));
    if (bytes > ports.maxAnswerBytes - ANSWER_BYTES && texts.length > 0) {
      position.next = offset;
      ports.notes.cut();
      ports.notes.warn("ANSWER_TOO_LARGE: there is more output; go on with --since-offset and next_offset");
      break;
    }
    texts.push(text);
  }
  return texts.join("\n");
}

async function* run(input: Input, ports: Ports): VerbStream<"logs"> {
  if (input.follow && !ports.streaming) throw endlessAnswer("--follow");
  const source = await findSource(input, ports);
  const from = input.sinceOffset ?? 0;
  const position = new Position(from);
  try {
    let text = "";
    if (input.raw && ports.forPeople) await passRaw(source, position, ports);
    else if (ports.streaming) yield* source.items(position, input.raw);
    else text = await gather(source.items(position, input.raw), position, ports);
    const { first = from, next } = position;
    return { ...(await source.about()), text, offset: first, next_offset: next, total_bytes: next };
  } finally {
    await source.close();
  }
}

const REASON_CHARS = 200;

function show(output: Output, paint: Paint): string {
  const { terminal_id: terminal, next_offset: next, transcript, state, reason } = output;
  const lines = [
    ...(state === null
      ? []
      : [`state: ${state.replaceAll("_", " ")}${reason ? ` (${entryLine(reason, REASON_CHARS)})` : ""}`]),
    ...(transcript === null ? [] : [`the agent's own stream: ${transcript.path}, ${plural(transcript.lines, "line")}`]),
    terminal === null
      ? `go on from here with --since-offset ${next}`
      : `${plural(next, "byte")} so far; go on with --since-offset ${next}`,
  ];
  return paint.dim(lines.join("\n"));
}

export const handler = handle("logs", { run, showItem: showEntry, show });
