import type { MaskedStream, Redactor } from "claw-contract";
import { createMaskedStream } from "claw-contract";
import type { ModelEvent } from "../providers/provider.ts";

type Emit = (event: ModelEvent) => void;
type TextPiece = Extract<ModelEvent, { readonly text: string }>;

interface Open {
  readonly piece: TextPiece;
  readonly stream: MaskedStream;
}

const isPiece = (event: ModelEvent): event is TextPiece => "text" in event;

const idOf = (piece: TextPiece): string => (piece.kind === "tool-input" ? piece.id : "");

/**
 * Passes on the events of a model with secrets masked, even when a secret is split over several events. `end` says that
 * the answer is complete and passes on the text held back; without `end` that text is dropped.
 */
export function maskEvents(emit: Emit, redactor: Redactor): { emit: Emit; end(): void } {
  let open: Open | undefined;
  const pass = (piece: TextPiece, text: string): void => void (text !== "" && emit({ ...piece, text }));
  const end = (): void => {
    if (open !== undefined) pass(open.piece, open.stream.end());
    open = undefined;
  };
  const take = (piece: TextPiece): void => {
    if (open !== undefined && (open.piece.kind !== piece.kind || idOf(open.piece) !== idOf(piece))) end();
    open ??= { piece, stream: createMaskedStream(redactor) };
    pass(piece, open.stream.push(piece.text));
  };
  return {
    end,
    emit: (event) => {
      if (isPiece(event)) return take(event);
      if (event.kind === "retry") open = undefined;
      end();
      emit(event);
    },
  };
}
