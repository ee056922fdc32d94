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
