import { isatty } from "node:tty";
import picocolors from "picocolors";
import type { Paint } from "../verbs/index.ts";

export interface PaintOptions {
  readonly noColor: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Colours for a terminal that wants them, and none for anything else. */
export function createPaint(fd: 1 | 2, { noColor, env }: PaintOptions): Paint {
  const refused = noColor || env["NO_COLOR"] !== undefined || env["CI"] !== undefined || env["TERM"] === "dumb";
  return picocolors.createColors(!refused && isatty(fd));
}
