import type { Paint } from "../../runtime/paint.ts";

/** How a merge is undone: the branch `onto` goes back to the commit it had before. */
export const undoMergeText = ({ before, onto }: { before: string; onto: string }, paint: Paint): string =>
  `${paint.dim("go back")}   ${paint.cyan(`git reset --keep ${before.slice(0, 12)}`)} ${paint.dim(`on ${onto}`)}`;
