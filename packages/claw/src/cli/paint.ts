import { isatty } from "node:tty";
import picocolors from "picocolors";
import type { Paint } from "../verbs/index.ts";

export interface PaintOptions {
  readonly noColor: boolean;
  readonly env: NodeJS.ProcessEnv;
}

function columnsOf(fd: 1 | 2): number {
  if (!isatty(fd)) return Infinity;
  const { columns } = fd === 1 ? process.stdout : process.stderr;
  return columns || Infinity;
}

/** Colours for a terminal that wants them, and none for anything else. */
export function createPaint(fd: 1 | 2, { noColor, env }: PaintOptions): Paint {
  const refused = noColor || env["NO_COLOR"] !== undefined || env["CI"] !== undefined || env["TERM"] === "dumb";
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(!refused && isatty(fd));
  return { bold, dim, red, green, yellow, cyan, columns: columnsOf(fd) };
}
