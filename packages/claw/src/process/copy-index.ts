import { copyFileSync, statSync, utimesSync } from "node:fs";

/**
 * Copies an index of git with its time, rounded down: git looks again at files that changed in the moment in which the
 * index was written, and knows them by that time. Throws a file error.
 */
export function copyIndex(from: string, to: string): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
