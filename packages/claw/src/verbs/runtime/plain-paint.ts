import type { Paint } from "./paint.ts";

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
