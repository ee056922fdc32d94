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

/** Codes that begin and end a style on a terminal. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Colours = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

const same = (text: string): string => text;

/** Begins a style again behind each end of a style inside of it. */
function styleWith([begin, end]: readonly [number, number]): (text: string) => string {
  const [on, off] = [`\u001b[${begin}m`, `\u001b[${end}m`];
  return (text) => `${on}${text.replaceAll(off, `${off}${on}`)}${off}`;
}

/** Styles for a terminal; each returns its text unchanged when colours are off. */
export function createColours(areOn: boolean): Colours {
  const styles = Object.entries(CODES).map(([name, codes]) => [name, areOn ? styleWith(codes) : same]);
  return Object.fromEntries(styles) as Colours;
}
