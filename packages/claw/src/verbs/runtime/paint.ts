/** How text looks. Each colour returns its text unchanged when colours are off. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** Characters that fit in a line; infinite when the output is no terminal. */
  readonly columns: number;
}

const same = (text: string): string => text;

/** No colours, and lines as long as they are: text that ends up in an answer. */
export const PLAIN_PAINT: Paint = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
  columns: Infinity,
};
