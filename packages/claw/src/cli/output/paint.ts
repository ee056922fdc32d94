import { createColours } from "./colours.ts";
import { isTerminal } from "./is-terminal.ts";
import type { Paint } from "../../verbs/index.ts";

export interface PaintOptions {
  readonly noColor: boolean;
  readonly env: NodeJS.ProcessEnv;
}

function columnsOf(fd: 1 | 2): number {
  if (!isTerminal(fd)) return Infinity;
  const { columns } = fd === 1 ? process.stdout : process.stderr;
  return columns || Infinity;
}

/** Whether to use colours: the descriptor is a terminal, and neither flags nor environment refuse colours. */
export function wantsColour(fd: 1 | 2, { noColor, env }: PaintOptions): boolean {
  const refused = noColor || env["NO_COLOR"] !== undefined || env["CI"] !== undefined || env["TERM"] === "dumb";
  return !refused && isTerminal(fd);
}

/** Colours for a terminal where they are wanted; plain text elsewhere. */
export function createPaint(fd: 1 | 2, options: PaintOptions): Paint {
  const { bold, dim, red, green, yellow, cyan } = createColours(wantsColour(fd, options));
  return { bold, dim, red, green, yellow, cyan, columns: columnsOf(fd) };
}
