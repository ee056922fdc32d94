import type { VerbItem } from "claw-contract";
import { firstChars } from "claw-contract";
import type { Ports } from "../../../verbs/index.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

type Piece = VerbItem<"logs">;

const DEFAULT_CHARS = 8000;

/** Thrown to stop the reading of a log once the answer is full. */
class Enough extends Error {}

const textOf = ({ kind, text }: Piece): string => (kind === undefined ? text : `[${kind}] ${text}`);

/** The pieces of a log in a single answer. */
interface Gathering {
  take(piece: Piece): void;
  pieces(): readonly Piece[];
  /** Where the next answer begins; undefined when the log was read to its end. */
  rest(): number | undefined;
}

/** From an offset on: the first pieces. The first one is taken in any case, so that a reader gets further. */
function gatherFirst(maxChars: number): Gathering {
  const pieces: Piece[] = [];
  let [chars, rest]: [number, number | undefined] = [0, undefined];
  return {
    take(piece) {
      chars += textOf(piece).length + 1;
      if (chars > maxChars && pieces.length > 0) {
        rest = piece.offset;
        throw new Enough();
      }
      pieces.push(piece);
    },
    pieces: () => pieces,
    rest: () => rest,
  };
}

/** The newest pieces. */
function gatherLast(maxChars: number): Gathering {
  const pieces: Piece[] = [];
  let chars = 0;
  return {
    take(piece) {
      pieces.push(piece);
      chars += textOf(piece).length + 1;
      while (chars > maxChars && pieces.length > 1) chars -= textOf(pieces.shift() ?? piece).length + 1;
    },
    pieces: () => pieces,
    rest: () => undefined,
  };
}

interface ReadLog {
  readonly next: number;
  /** Whether the log goes on behind `next`. */
  readonly more: boolean;
  readonly state: string | null;
}

async function readLog(worker: string, offset: number | undefined, into: Gathering, ports: Ports): Promise<ReadLog> {
  const emit = (item: unknown): Promise<void> => {
    into.take(item as Piece);
    return Promise.resolve();
  };
  try {
    const given = { worker, sinceOffset: offset };
    const { data } = await callVerb("logs", given, { ...ports, streaming: true, emit });
    return { next: data.next_offset, more: false, state: data.state };
  } catch (error) {
    const rest = into.rest();
    if (!(error instanceof Enough) || rest === undefined) throw error;
    return { next: rest, more: true, state: null };
  }
}

/** The newest text of a log, and the place behind it. */
export async function lastChars(
  worker: string,
  maxChars: number,
  ports: Ports,
): Promise<{ readonly text: string; readonly next: number }> {
  const into = gatherLast(maxChars);
  const { next } = await readLog(worker, undefined, into, ports);
  return { text: into.pieces().map(textOf).join("\n"), next };
}

/** One range of a log. A single entry that is longer than the answer is cut. */
export const handleLog: ToolHandler<"claws_log"> = async (input, { ports }) => {
  const { worker, offset, max_chars: maxChars = DEFAULT_CHARS } = input;
  const into = offset === undefined ? gatherLast(maxChars) : gatherFirst(maxChars);
  const { next, more, state } = await readLog(worker, offset, into, ports);
  const pieces = into.pieces();
  return {
    data: {
      text: firstChars(pieces.map(textOf).join("\n"), maxChars),
      offset: pieces[0]?.offset ?? offset ?? 0,
      next_offset: next,
      more,
      state,
    },
  };
};
