import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

/** Whether somebody sits behind a descriptor. Pipes and files are told apart without loading what terminals take. */
export function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && isatty(fd);
  } catch {
    // A descriptor that was closed.
    return false;
  }
}
