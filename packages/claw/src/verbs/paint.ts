/** How text looks. Each colour returns its text unchanged when colours are off. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** Characters of a line; no end to them when nobody looks at it on a terminal. */
  readonly columns: number;
}
