import type { Notes } from "@claw/contract";

/** Collects what a verb says beside its data. */
export interface NoteTaker {
  readonly warn: (text: string) => void;
  /** Says that more follows after this cursor. */
  readonly more: (cursor: string) => void;
  /** Says that the answer was cut and what was cut stands elsewhere. */
  readonly cut: () => void;
  readonly notes: () => Notes;
}

export function createNoteTaker(): NoteTaker {
  const warnings: string[] = [];
  let truncated = false;
  let cursor: string | undefined;
  return {
    warn: (text) => void warnings.push(text),
    more: (next) => {
      truncated = true;
      cursor = next;
    },
    cut: () => {
      truncated = true;
    },
    notes: () => ({
      warnings: [...warnings],
      ...(truncated ? { truncated } : {}),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  };
}
