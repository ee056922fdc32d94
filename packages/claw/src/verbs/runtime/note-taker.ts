import type { Notes } from "claw-contract";

/** Collects the notes of a verb: warnings, page and cursor beside the data. */
export interface NoteTaker {
  readonly warn: (text: string) => void;
  /** Says how much of a list the answer holds, and after which cursor it goes on, if it does. */
  readonly page: (page: { total: number; returned: number; cursor: string | undefined }) => void;
  /** Says that the answer was cut and that the rest is elsewhere. */
  readonly cut: () => void;
  readonly notes: () => Notes;
}

export function createNoteTaker(): NoteTaker {
  const warnings: string[] = [];
  let truncated = false;
  let paging: { total: number; returned: number; cursor: string | undefined } | undefined;
  return {
    warn: (text) => void warnings.push(text),
    page: (page) => {
      paging = page;
      truncated = page.cursor !== undefined;
    },
    cut: () => {
      truncated = true;
    },
    notes: () => ({
      warnings: [...warnings],
      ...(truncated ? { truncated } : {}),
      ...(paging === undefined ? {} : { page: { total: paging.total, returned: paging.returned } }),
      ...(paging?.cursor === undefined ? {} : { cursor: paging.cursor }),
    }),
  };
}
