/**
 * - `ask`, `answer`: a piece of a question or of its answer.
 * - `failed`: the question has no answer; the piece says why.
 * - `here`: asks whether the question is still being answered. `busy` and `lost` are the answers.
 * - `stop`: the answer is not wanted any more.
 */
const KINDS = ["ask", "answer", "failed", "here", "busy", "lost", "stop"] as const;
export type FrameKind = (typeof KINDS)[number];

/** A message between two daemons. */
export interface RouteFrame {
  readonly kind: FrameKind;
  /** Names a question; unique among the questions of its asker. */
  readonly id: string;
  /** Number of the piece, from 0. */
  readonly piece: number;
  /** Number of pieces of the whole text. */
  readonly pieces: number;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array();
const HEAD = /^([a-z]+) ([\w-]{1,80}) (\d{1,6}) (\d{1,6})$/;
const LONGEST_HEAD = 128;

export const encodeFrame = ({ kind, id, piece, pieces, bytes }: RouteFrame): Uint8Array =>
  Buffer.concat([Buffer.from(`${kind} ${id} ${piece} ${pieces}\n`), bytes]);

/** Undefined for bytes that are no frame. */
export function decodeFrame(data: Uint8Array): RouteFrame | undefined {
  const end = data.subarray(0, LONGEST_HEAD).indexOf(0x0a);
  const [, word = "", id = "", piece, pieces] = HEAD.exec(Buffer.from(data.subarray(0, end)).toString("latin1")) ?? [];
  const kind = KINDS.find((each) => each === word);
  if (end === -1 || kind === undefined) return undefined;
  return { kind, id, piece: Number(piece), pieces: Number(pieces), bytes: data.subarray(end + 1) };
}

export const signal = (kind: FrameKind, id: string): RouteFrame => ({ kind, id, piece: 0, pieces: 1, bytes: NOTHING });

/** A text in pieces of at most so many bytes. An empty text is one empty piece. */
export function framesOf(kind: FrameKind, id: string, text: string, pieceBytes: number): RouteFrame[] {
  const bytes = Buffer.from(text);
  const pieces = Math.max(1, Math.ceil(bytes.length / pieceBytes));
  return Array.from({ length: pieces }, (_, piece) => ({
    kind,
    id,
    piece,
    pieces,
    bytes: bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
  }));
}

export type PiecesState =
  | { readonly kind: "more" }
  | { readonly kind: "whole"; readonly text: string }
  /** A piece is missing, or the text is too large. */
  | { readonly kind: "unfit" };

/** Puts the pieces of one text together, up to a number of bytes. */
export interface Pieces {
  take(frame: RouteFrame): PiecesState;
}

export function collectPieces(maxBytes: number): Pieces {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    take: ({ piece, pieces, bytes }) => {
      size += bytes.length;
      if (piece !== parts.length || size > maxBytes) return { kind: "unfit" };
      parts.push(bytes);
      return parts.length < pieces ? { kind: "more" } : { kind: "whole", text: Buffer.concat(parts).toString("utf8") };
    },
  };
}
