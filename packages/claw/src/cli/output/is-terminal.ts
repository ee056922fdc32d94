import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";

/** Whether a device is `/dev/null`, which scripts put in place of a stream. */
function isNull(device: number): boolean {
  try {
    return statSync(devNull).rdev === device;
  } catch {
    return false;
  }
}

/** Whether a descriptor is a terminal. Pipes, files and `/dev/null` are recognised without loading Node's terminal module. */
export function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && !isNull(stats.rdev) && isatty(fd);
  } catch {
    // The descriptor is closed.
    return false;
  }
}
