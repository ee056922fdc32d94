import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

/** Whether a descriptor is a terminal. Pipes and files are recognised without loading Node's terminal module. */
export function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && isatty(fd);
  } catch {
    // The descriptor is closed.
    return false;
  }
}
