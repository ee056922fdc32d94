import type { VerbInput, VerbItem, VerbOutput } from "@claw/contract";
import { ClawError } from "@claw/contract";
import type { AboutTerminal } from "../terminals/index.ts";
import { clawsFolder, findTerminal, noTerminal } from "./find-terminal.ts";
import type { Ports, VerbStream } from "./handle.ts";
import { handle } from "./handle.ts";
import { createOutputLines } from "./output-lines.ts";
import type { OutputPiece } from "./terminal-output.ts";
import { terminalOutput } from "./terminal-output.ts";
import { plural } from "./text-layout.ts";
import { findWorkerFolder, summariseTranscript } from "./worker-log.ts";
import { workerOutput } from "./worker-output.ts";

type Input = VerbInput<"logs">;
type Item = VerbItem<"logs">;
type Output = VerbOutput<"logs">;

interface Source {
  /** What is known once everything was read. */
  about(): Pick<Output, "terminal_id" | "worker_id" | "transcript">;
  readonly pieces: AsyncIterable<OutputPiece>;
}

const aboutTerminal = ({ id, workerId }: AboutTerminal): ReturnType<Source["about"]> => ({
  terminal_id: id,
  worker_id: workerId,
  transcript: null,
});

function findSource({ worker: id, follow, sinceOffset = 0 }: Input, ports: Ports): Source {
  const terminal = findTerminal(id, ports);
  if (terminal !== undefined) {
    const options = { folder: clawsFolder(ports), id: terminal.id, from: sinceOffset, follow };
    return { about: () => aboutTerminal(terminal), pieces: terminalOutput(options, ports.signal) };
  }
  const worker = findWorkerFolder(id, ports);
  if (worker === undefined) throw noTerminal(id);
  return {
    about: () => ({
      terminal_id: null,
      worker_id: worker.id,
      transcript: summariseTranscript(ports, worker.folder),
    }),
    pieces: workerOutput({ worker, from: sinceOffset, follow }, ports),
  };
}

async function* lineItems({ pieces }: Source, raw: boolean, seen: (piece: OutputPiece) => void): AsyncGenerator<Item> {
  const lines = createOutputLines(raw);
  let last = 0;
  for await (const piece of pieces) {
    seen(piece);
    last = piece.offset;
    const whole = lines.push(piece.bytes);
    if (whole.length > 0) yield { type: "output", offset: piece.offset, text: whole.join("\n") };
  }
  for (const text of lines.rest()) yield { type: "output", offset: last, text };
}

/** Bytes as they are belong to the terminal they are shown on, not to the renderer. */
async function passRaw({ pieces }: Source, ports: Ports, seen: (piece: OutputPiece) => void): Promise<void> {
  for await (const piece of pieces) {
    seen(piece);
    if (!(await ports.stage.write("stdout", piece.bytes))) break;
  }
  ports.stage.leave({ code: 0 });
}

/** Room in an answer for everything that is not text. */
const ANSWER_BYTES = 4096;

function refuseEndlessAnswer({ follow }: Input, { streaming }: Ports): void {
  if (!follow || streaming) return;
  throw new ClawError("INVALID_FLAG_VALUE", "--follow never ends, so it cannot be one JSON object", {
    operation: "parse_arguments",
    target: "--output-format",
    hint: "Use --output-format stream-json.",
  });
}

async function gather(items: AsyncIterable<Item>, ports: Ports): Promise<string> {
  const texts: string[] = [];
  let bytes = 0;
  for await (const { text } of items) {
    bytes += Buffer.byteLength(JSON.stringify(text));
    if (bytes > ports.maxAnswerBytes - ANSWER_BYTES) {
      ports.notes.cut();
      ports.notes.warn("ANSWER_TOO_LARGE: there is more output; go on with --since-offset and next_offset");
      break;
    }
    texts.push(text);
  }
  return texts.join("\n");
}

async function* run(input: Input, ports: Ports): VerbStream<"logs"> {
  refuseEndlessAnswer(input, ports);
  const source = findSource(input, ports);
  const from = input.sinceOffset ?? 0;
  let first: number | undefined;
  let next = from;
  const seen = ({ offset, bytes }: OutputPiece): void => {
    first ??= offset;
    next = offset + bytes.length;
  };
  let text = "";
  if (input.raw && ports.forPeople) await passRaw(source, ports, seen);
  else if (ports.streaming) yield* lineItems(source, input.raw, seen);
  else text = await gather(lineItems(source, input.raw, seen), ports);
  return { ...source.about(), text, offset: first ?? from, next_offset: next, total_bytes: next };
}

export const handler = handle("logs", {
  run,
  showItem: ({ text }) => text,
  show: ({ next_offset: next, transcript }, paint) => {
    const lines = [`${plural(next, "byte")} so far; go on with --since-offset ${next}`];
    if (transcript !== null) lines.push(`the agent's own stream: ${transcript.path}, ${transcript.lines} lines`);
    return paint.dim(lines.join("\n"));
  },
});
